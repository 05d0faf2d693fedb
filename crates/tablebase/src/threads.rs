//! Parallel loops over scoped threads: map a range of numbers, and fill a byte slice chunk by chunk.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The results of `work` for every number below `count`, in order.
pub(crate) fn map<T: Send>(threads: usize, count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return done;
            }
            done.push((number, work(number)));
        }
    };
    let mut all = thread::scope(|scope| {
        let others: Vec<_> = (1..threads.min(count)).map(|_| scope.spawn(take)).collect();
        let mut all = take();
        for other in others {
            all.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        all
    });
    all.sort_unstable_by_key(|&(number, _)| number);
    all.into_iter().map(|(_, result)| result).collect()
}

/// Fills bytes chunk by chunk; `work` gets the number of a chunk and its bytes.
pub(crate) fn fill(threads: usize, bytes: &mut [u8], chunk: usize, work: impl Fn(usize, &mut [u8]) + Sync) {
    let chunks = Mutex::new(bytes.chunks_mut(chunk).enumerate());
    let take = || {
        let next = || chunks.lock().expect("no thread panics while taking a chunk").next();
        while let Some((number, chunk)) = next() {
            work(number, chunk);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(take);
        }
        take();
    });
}

#[cfg(test)]
mod tests {
    use super::{fill, map};

    #[test]
    fn results_come_in_order_from_however_many_threads() {
        for threads in [1, 2, 7] {
            assert_eq!(map(threads, 100, |n| n * n), (0..100).map(|n| n * n).collect::<Vec<_>>());
        }
        assert!(map(3, 0, |n| n).is_empty());
    }

    #[test]
    fn every_chunk_is_filled() {
        let mut bytes = vec![0; 1000];
        fill(3, &mut bytes, 7, |number, chunk| chunk.fill(number as u8));
        assert!(bytes.iter().enumerate().all(|(index, &byte)| usize::from(byte) == index / 7));
    }
}
