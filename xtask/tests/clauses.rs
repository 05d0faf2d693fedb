//! The table in `docs/RULES.md` that leads from each clause to its test.

use std::fs;
use std::path::Path;

const RULES: &str = include_str!("../../docs/RULES.md");

/// The source of all tests below a folder, in Rust and in the page's language.
fn tests(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).expect("the folders of the project can be read").flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() {
            if name != "node_modules" && name != "target" {
                tests(&path, text);
            }
        } else if path
            .extension()
            .is_some_and(|ending| ["rs", "js", "mjs"].iter().any(|test| ending == *test))
        {
            text.push_str(&fs::read_to_string(&path).expect("tests are text"));
        }
    }
}

#[test]
fn every_clause_leads_to_a_test_that_exists() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut sources = String::new();
    for folder in ["crates", "web"].map(|folder| project.join(folder)).iter().filter(|folder| folder.is_dir())
    {
        tests(folder, &mut sources);
    }
    let (_, table) = RULES.split_once("## Every clause and its proof").expect("the table has its heading");
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert!(rows.len() > 60, "the table of clauses has {} rows", rows.len());
    for row in rows {
        let proofs = row.rsplit('|').nth(1).expect("a row has cells");
        let names: Vec<&str> = proofs.split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "no test proves this clause: {row}");
        for name in names {
            let found = sources.contains(&format!("fn {name}()")) || sources.contains(&format!("\"{name}\""));
            assert!(found, "there is no test {name}: {row}");
        }
    }
}
