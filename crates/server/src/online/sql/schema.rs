//! The tables, and how an older database gets those of today.

use std::borrow::Cow;

use sqlx::AnyPool;
use sqlx::error::BoxDynError;
use sqlx::migrate::{Migration, MigrationSource, MigrationType, Migrator};

use crate::online::store::StoreError;

/// In order, never changed once released.
const MIGRATIONS: [(&str, &str); 1] = [("games", include_str!("../../../migrations/1-games.sql"))];

pub(super) async fn migrate(database: &AnyPool) -> Result<(), StoreError> {
    Ok(Migrator::new(Embedded).await?.run(database).await?)
}

#[derive(Debug)]
struct Embedded;

impl<'s> MigrationSource<'s> for Embedded {
    fn resolve(
        self,
    ) -> std::pin::Pin<Box<dyn Future<Output = Result<Vec<Migration>, BoxDynError>> + Send + 's>> {
        let migration = |(n, (name, sql)): (i64, (&'static str, &'static str))| {
            Migration::new(n, Cow::Borrowed(name), MigrationType::Simple, Cow::Borrowed(sql), false)
        };
        Box::pin(async move { Ok((1..).zip(MIGRATIONS).map(migration).collect()) })
    }
}
