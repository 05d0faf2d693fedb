//! Numbered work of many threads, taken in the order of its numbers.

use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// So many numbers for each thread are given out before the first of them is taken. What is done early waits, so this is
/// also the most that can wait.
const AHEAD: usize = 16;

/// Does the work of all numbers from the first one on, one thread for each worker, until `take` has had enough and
/// answers no. If a worker panics, so does this, after the others have done what they are at.
///
/// # Errors
/// If a thread cannot be started. The others have ended then.
pub(super) fn in_order<Worker: Send, Done: Send>(
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
        // Both ends are dropped with this closure, however it ends, and the threads end after what they are at.
        let give = give;
        let (sender, done) = mpsc::channel();
        for mut worker in workers {
            let sender = LastWords(sender.clone());
            thread::Builder::new().spawn_scoped(scope, move || {
                while let Some(number) = next(given) {
                    let result = work(&mut worker, number);
                    // Nobody listens any more when there is enough, though numbers are left.
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

/// The next number, as soon as there is one; none when there is no more to do.
fn next(given: &Mutex<Receiver<u64>>) -> Option<u64> {
    given.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

/// A thread that dies says so, since what it was at would be waited for without end.
struct LastWords<Done>(Sender<Option<(u64, Done)>>);

impl<Done> Drop for LastWords<Done> {
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
    fn what_is_done_comes_in_order_until_there_is_enough() {
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
    fn a_worker_that_dies_ends_the_others() {
        let died = panic::catch_unwind(AssertUnwindSafe(|| {
            let work = |(): &mut (), number: u64| assert_ne!(number, 40, "a death that this test wants");
            in_order(0, vec![(); 3], work, &mut |()| true)
        }));
        assert!(died.is_err());
    }

    #[test]
    fn no_more_is_done_than_may_wait_for_the_first() {
        let workers = 3;
        let others = AHEAD as u64 * workers as u64 - 1;
        let (started, all_started) = (Mutex::new(0), Condvar::new());
        let most = AtomicU64::new(0);
        let work = |(): &mut (), number: u64| {
            most.fetch_max(number, Ordering::Relaxed);
            let mut count = started.lock().unwrap();
            *count += 1;
            all_started.notify_all();
            // The first takes until the others have done all that they are given.
            if number == 0 {
                drop(all_started.wait_while(count, |count| *count <= others));
                assert_eq!(most.load(Ordering::Relaxed), others);
            }
        };
        in_order(0, vec![(); workers], work, &mut |()| false).unwrap();
    }
}
