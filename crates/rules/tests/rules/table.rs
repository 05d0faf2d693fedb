//! The table in `docs/RULES.md` that leads from each clause to its test.

const RULES: &str = include_str!("../../../../docs/RULES.md");
const TESTS: [&str; 4] = [
    include_str!("clauses.rs"),
    include_str!("rulebooks.rs"),
    include_str!("notation.rs"),
    include_str!("perft.rs"),
];

#[test]
fn every_clause_leads_to_a_test_that_exists() {
    let rows: Vec<&str> = RULES.lines().filter(|line| line.starts_with("| ") && line.contains('`')).collect();
    assert!(rows.len() > 40, "the table of clauses has {} rows", rows.len());
    for row in rows {
        let proofs = row.rsplit('|').nth(1).expect("a row has cells");
        for name in proofs.split('`').skip(1).step_by(2) {
            let test = format!("#[test]\nfn {name}()");
            assert!(TESTS.iter().any(|file| file.contains(&test)), "there is no test {name}: {row}");
        }
    }
}
