/** Sound effects of wooden pieces, synthesized with Web Audio. */

/** @typedef {"step" | "jump" | "crown" | "end" | "turn" | "low"} Sound */

/** @type {AudioContext | null} */
let context = null;

/** Plays a sound. Does nothing before the first user interaction, when browsers allow no sound. @param {Sound} sound */
export function play(sound) {
  // Sounds started earlier would all play at once with the first interaction.
  if (navigator.userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  if (context.state !== "running") void context.resume();
  const now = context.currentTime;
  switch (sound) {
    case "step":
      return tick(context, now, 520, 0.06, 0.35);
    case "jump":
      tick(context, now, 560, 0.05, 0.3);
      return tick(context, now + 0.07, 430, 0.07, 0.4);
    case "crown":
      tick(context, now, 190, 0.16, 0.55);
      return tick(context, now + 0.02, 300, 0.1, 0.25);
    case "turn":
      return tone(context, now, 392);
    case "low":
      return [523, 523].forEach((pitch, i) => tone(/** @type {AudioContext} */ (context), now + 0.18 * i, pitch));
    case "end":
      return [262, 330, 392].forEach((pitch, i) => tone(/** @type {AudioContext} */ (context), now + 0.09 * i, pitch));
  }
}

/**
 * Wood on wood: a short burst of noise through a band-pass filter, over the hollow tone of the board.
 * @param {AudioContext} audio
 * @param {number} at
 * @param {number} pitch in hertz
 * @param {number} length in seconds
 * @param {number} loudness
 */
function tick(audio, at, pitch, length, loudness) {
  const noise = audio.createBufferSource();
  noise.buffer = crackle(audio, length);
  const gate = audio.createBiquadFilter();
  gate.type = "bandpass";
  gate.frequency.value = pitch * 3;
  gate.Q.value = 1.2;
  noise.connect(gate).connect(fading(audio, at, length, loudness)).connect(audio.destination);
  noise.start(at);
  const board = audio.createOscillator();
  board.frequency.setValueAtTime(pitch, at);
  board.frequency.exponentialRampToValueAtTime(pitch * 0.6, at + length);
  board.connect(fading(audio, at, length, loudness * 0.5)).connect(audio.destination);
  board.start(at);
  board.stop(at + length);
}

/** @param {AudioContext} audio @param {number} at @param {number} pitch */
function tone(audio, at, pitch) {
  const voice = audio.createOscillator();
  voice.type = "triangle";
  voice.frequency.value = pitch;
  voice.connect(fading(audio, at, 0.9, 0.12)).connect(audio.destination);
  voice.start(at);
  voice.stop(at + 0.9);
}

/** @param {AudioContext} audio @param {number} at @param {number} length @param {number} loudness */
function fading(audio, at, length, loudness) {
  const gain = audio.createGain();
  gain.gain.setValueAtTime(loudness, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + length);
  return gain;
}

/** @param {AudioContext} audio @param {number} length */
function crackle(audio, length) {
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * length), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / samples.length);
  return buffer;
}
