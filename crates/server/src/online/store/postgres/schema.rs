//! Migrations of the PostgreSQL schema.

use sqlx::{Connection, Executor, PgConnection};

use crate::online::store::StoreError;
use crate::online::store::queries::MIGRATIONS;

/// The advisory lock that makes servers that start together migrate one after the other.
const LOCK: i64 = 0x6372_6f77_6e68;

/// Migrates the tables. Older databases recorded their version in a table of the library that was in use then.
pub(super) async fn migrate(connection: &mut PgConnection) -> Result<(), StoreError> {
    let mut transaction = connection.begin().await?;
    sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(LOCK).execute(&mut *transaction).await?;
    let counted_by_library: bool = sqlx::query_scalar("SELECT to_regclass('_sqlx_migrations') IS NOT NULL")
        .fetch_one(&mut *transaction)
        .await?;
    transaction.execute("CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)").await?;
    let counted: Option<i64> =
        sqlx::query_scalar("SELECT MAX(version) FROM schema_version").fetch_one(&mut *transaction).await?;
    let version = match counted {
        Some(version) => version,
        None if counted_by_library => {
            let library = "SELECT COALESCE(MAX(version), 0) FROM _sqlx_migrations";
            sqlx::query_scalar(library).fetch_one(&mut *transaction).await?
        }
        None => 0,
    };
    if version > MIGRATIONS.len() as i64 {
        return Err(StoreError::Migration(format!("it has version {version}")));
    }
    for (number, migration) in (1_i64..).zip(MIGRATIONS).skip(version as usize) {
        transaction.execute(migration).await?;
        sqlx::query("INSERT INTO schema_version (version) VALUES ($1)")
            .bind(number)
            .execute(&mut *transaction)
            .await?;
    }
    Ok(transaction.commit().await?)
}
