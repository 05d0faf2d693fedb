//! The options `--data` and `--database`, which select the database of online games.

use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::Context;
use clap::Args;
use crownhead_server::Database;
use crownhead_server::online::StoreError;
use directories::ProjectDirs;

const FILE: &str = "games.sqlite";
/// The environment variable for the database URL, which keeps a password out of the process list.
const DATABASE_URL: &str = "DATABASE_URL";

/// The location of the database of online games.
#[derive(Args)]
pub(crate) struct DatabaseOptions {
    /// Folder for online games [default: the user's data folder].
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// PostgreSQL database for online games, instead of a file in the data folder: `postgres://USER@HOST/NAME`. Append
    /// `?sslmode=require` (or `verify-full`) to encrypt the connection. If neither this option nor --data is given, the
    /// environment variable `DATABASE_URL` applies, which keeps a password out of the process list.
    #[arg(long, value_name = "URL")]
    database: Option<String>,
}

impl DatabaseOptions {
    /// The selected database. Creates the data folder if it is missing.
    pub(crate) fn database(&self) -> anyhow::Result<Database> {
        let database = self.named()?;
        if let (Database::File(file), None) = (&database, &self.database) {
            let folder = file.parent().unwrap_or(Path::new("."));
            fs::create_dir_all(folder).with_context(|| {
                format!("cannot keep games in {}; give another folder with --data DIR", folder.display())
            })?;
        }
        Ok(database)
    }

    /// The selected database, for commands that need one that exists.
    pub(crate) fn existing(&self) -> anyhow::Result<Database> {
        let database = self.named()?;
        match database.file() {
            Some(file) if !file.exists() => Err(anyhow::anyhow!(
                "there is no database at {}; give the folder of the server with --data DIR",
                file.display()
            )),
            _ => Ok(database),
        }
    }

    fn named(&self) -> anyhow::Result<Database> {
        if let Some(address) = &self.database {
            return Ok(Database::Address(address.clone()));
        }
        if self.data.is_none()
            && let Some(address) = env::var_os(DATABASE_URL).filter(|address| !address.is_empty())
        {
            let address = address.into_string().ok();
            let address = address.with_context(|| format!("{DATABASE_URL} is not valid Unicode"))?;
            return Ok(Database::Address(address));
        }
        let of_the_user = || ProjectDirs::from("", "", "crownhead").map(|user| user.data_dir().to_owned());
        let folder = self.data.clone().or_else(of_the_user);
        let folder = folder.context("this user has no folder for data; give one with --data DIR")?;
        Ok(Database::File(folder.join(FILE)))
    }
}

/// The URL of a PostgreSQL database without its password, for messages.
pub(crate) fn postgres_address(database: &Database) -> anyhow::Result<String> {
    match database {
        Database::Address(address) if address.starts_with("postgres") => Ok(without_password(address)),
        Database::Address(address) => Err(StoreError::Address(address.clone()).into()),
        Database::File(file) => Err(StoreError::Address(file.display().to_string()).into()),
    }
}

fn without_password(address: &str) -> String {
    let (scheme, rest) = address.split_once("://").unwrap_or(("postgres", address));
    let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
    // A password may contain an @ or a slash, so the last @ ends it.
    let place = match place.rsplit_once('@') {
        Some((user, host)) => format!("{}@{host}", user.split(':').next().unwrap_or_default()),
        None => place.to_owned(),
    };
    let parameters: Vec<_> = query.split('&').filter(|text| !text.starts_with("password=")).collect();
    let query = parameters.join("&");
    let mark = if query.is_empty() { "" } else { "?" };
    format!("{scheme}://{place}{mark}{query}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_not_shown_wherever_it_stands() {
        let all = [
            ("postgres://me:secret@host:5432/games", "postgres://me@host:5432/games"),
            (
                "postgresql://me:se@cr/et@host/games?sslmode=require",
                "postgresql://me@host/games?sslmode=require",
            ),
            (
                "postgres://me@host/games?password=secret&sslmode=require",
                "postgres://me@host/games?sslmode=require",
            ),
            ("postgres://me@host/games?password=secret", "postgres://me@host/games"),
            ("postgres://host/games", "postgres://host/games"),
        ];
        for (address, shown) in all {
            assert_eq!(without_password(address), shown);
        }
    }
}
