// A site that becomes a newer one: the real server under another folder name once `renew` is called.
import { createServer } from "node:http";
import { once } from "node:events";
import { after } from "node:test";

const NEWER = "feedfacefeedface";

/** Starts it in front of the real site, until the test is over. */
export async function renewable(site) {
  const version = (await (await fetch(site)).text()).match(/\/v\/([0-9a-f]+)\//)[1];
  let isNew = false;
  const server = createServer(async (request, response) => {
    const answer = await fetch(new URL(request.url.replace(NEWER, version), site));
    const type = answer.headers.get("content-type");
    const body = Buffer.from(await answer.arrayBuffer());
    const isText = isNew && /html|javascript|json/.test(type);
    response.writeHead(answer.status, { "content-type": type, "cache-control": "no-cache" });
    response.end(isText ? body.toString().replaceAll(version, NEWER) : body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    address: `http://127.0.0.1:${server.address().port}/`,
    renew: () => (isNew = true),
    isNewer: (page) => page.evaluate((newer) => document.querySelector("script[type=module]").src.includes(newer), NEWER),
  };
}
