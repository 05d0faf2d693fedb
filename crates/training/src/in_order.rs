//! An ordered parallel map over an unbounded range of numbers.

use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// How many numbers per thread may be under way before the first result is taken. Early results wait, so this also
/// bounds how many can wait.
const AHEAD: usize = 16;

/// Runs `work` for all numbers from `first` on, one thread for each worker, until `take` returns false. If a worker
/// panics, so does this function, after the others have finished their current number.
///
/// # Errors
/// If a thread cannot be started. The others have ended by then.
pub(crate) fn in_order<Worker: Send, Done: Send>(
    first: u64,
    workers: Vec<Worker>,
    work: impl Fn(&mut Worker, u64) -> Done + Sync,
    take: &mut dyn FnMut(Done) -> bool,
) -> io::Result<()> {
    let work = &work;
    let ahead = (AHEAD * workers.len()) as u64;
    let (give, given) = mpsc::channel();
    let given = &Mutex::new(given);
    thread::scope(|scope| {
        // Both channels are dropped with this closure, however it ends; the threads end after their current number.
        let give = give;
        let (sender, done) = mpsc::channel();
        for mut worker in workers {
            let sender = PanicReporter(sender.clone());
            thread::Builder::new().spawn_scoped(scope, move || {
                while let Some(number) = next(given) {
                    let result = work(&mut worker, number);
                    // The receiver is dropped when `take` returns false, even if numbers are left.
                    if sender.0.send(Some((number, result))).is_err() {
                        return;
                    }
                }
            })?;
        }
        for number in first..first + ahead {
            let _ = give.send(number);
        }
        let mut due = first;
        let mut waiting = BTreeMap::new();
        while let Ok(Some((number, result))) = done.recv() {
            waiting.insert(number, result);
            while let Some(result) = waiting.remove(&due) {
                if !take(result) {
                    return Ok(());
                }
                let _ = give.send(due + ahead);
                due += 1;
            }
        }
        Ok(())
    })
}

/// Waits for the next number; `None` when there is no more to do.
fn next(given: &Mutex<Receiver<u64>>) -> Option<u64> {
    given.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

/// Reports that its thread panicked; otherwise the result of that number would be awaited for ever.
struct PanicReporter<Done>(Sender<Option<(u64, Done)>>);

impl<Done> Drop for PanicReporter<Done> {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.0.send(None);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{self, AssertUnwindSafe};
    use std::sync::Condvar;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn results_come_in_order_until_there_are_enough() {
        for workers in 1..4 {
            let mut taken = Vec::new();
            in_order(5, vec![(); workers], |(), number| number * 2, &mut |result| {
                taken.push(result);
                taken.len() < 100
            })
            .unwrap();
            assert_eq!(taken, (5..105).map(|number| number * 2).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_worker_that_panics_ends_the_others() {
        let panicked = panic::catch_unwind(AssertUnwindSafe(|| {
            let work = |(): &mut (), number: u64| assert_ne!(number, 40, "a panic that this test wants");
            in_order(0, vec![(); 3], work, &mut |()| true)
        }));
        assert!(panicked.is_err());
    }

    #[test]
    fn the_number_of_waiting_results_is_bounded() {
        let workers = 3;
        let others = AHEAD as u64 * workers as u64 - 1;
        let (started, all_started) = (Mutex::new(0), Condvar::new());
        let most = AtomicU64::new(0);
        let work = |(): &mut (), number: u64| {
            most.fetch_max(number, Ordering::Relaxed);
            let mut count = started.lock().unwrap();
            *count += 1;
            all_started.notify_all();
            // The first number takes until the others are done with all that they may work on.
            if number == 0 {
                drop(all_started.wait_while(count, |count| *count <= others));
                assert_eq!(most.load(Ordering::Relaxed), others);
            }
        };
        in_order(0, vec![(); workers], work, &mut |()| false).unwrap();
    }
}
