//! The cache of decoded blocks, with a memory limit and second-chance (clock) eviction.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, RwLock};

/// A decoded block.
pub(crate) trait Block {
    /// Its size in bytes.
    fn size(&self) -> usize;
}

/// A slot for every block of the tables, most of them empty. Hits on different blocks never contend for a lock.
pub(crate) struct Cache<B> {
    slots: Box<[Slot<B>]>,
    full: Mutex<Full>,
    limit: usize,
}

struct Slot<B> {
    block: RwLock<Option<B>>,
    /// Hit since eviction last considered this slot.
    used: AtomicBool,
}

/// The occupied slots, in the order in which eviction considers them.
#[derive(Default)]
struct Full {
    slots: VecDeque<usize>,
    bytes: usize,
}

const LOCKED: &str = "no thread panics while changing the cache";

impl<B: Block> Cache<B> {
    pub(crate) fn new(slots: usize, limit: usize) -> Cache<B> {
        let empty = |_| Slot { block: RwLock::new(None), used: AtomicBool::new(false) };
        Cache { slots: (0..slots).map(empty).collect(), full: Mutex::default(), limit }
    }

    /// The memory limit, in bytes.
    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    /// Reads a block; on a miss, makes and caches it first.
    #[inline]
    pub(crate) fn read<T>(&self, slot: usize, make: impl FnOnce() -> B, read: impl FnOnce(&B) -> T) -> T {
        let Slot { block, used } = &self.slots[slot];
        if let Some(block) = &*block.read().expect(LOCKED) {
            if !used.load(Ordering::Relaxed) {
                used.store(true, Ordering::Relaxed);
            }
            return read(block);
        }
        let block = make();
        let value = read(&block);
        self.keep(slot, block);
        value
    }

    #[cold]
    fn keep(&self, slot: usize, block: B) {
        let mut full = self.full.lock().expect(LOCKED);
        let size = block.size();
        let mut place = self.slots[slot].block.write().expect(LOCKED);
        // Another thread may have been faster.
        if place.is_none() {
            *place = Some(block);
            full.slots.push_back(slot);
            full.bytes += size;
        }
        drop(place);
        while full.bytes > self.limit
            && let Some(oldest) = full.slots.pop_front()
        {
            let Slot { block, used } = &self.slots[oldest];
            if used.swap(false, Ordering::Relaxed) {
                full.slots.push_back(oldest);
            } else {
                full.bytes -= block.write().expect(LOCKED).take().map_or(0, |block| block.size());
            }
        }
    }

    #[cfg(test)]
    fn bytes(&self) -> usize {
        self.full.lock().unwrap().bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    impl Block for usize {
        fn size(&self) -> usize {
            100
        }
    }

    fn read(cache: &Cache<usize>, slot: usize, made: &Cell<u32>) -> usize {
        let make = || {
            made.set(made.get() + 1);
            slot
        };
        cache.read(slot, make, |&block| block)
    }

    #[test]
    fn a_block_is_made_once_while_there_is_room() {
        let (cache, made) = (Cache::new(10, 1000), Cell::new(0));
        for slot in (0..10).chain(0..10) {
            assert_eq!(read(&cache, slot, &made), slot);
        }
        assert_eq!((made.get(), cache.bytes()), (10, 1000));
    }

    #[test]
    fn memory_stays_within_the_limit_and_used_blocks_stay() {
        let (cache, made) = (Cache::new(100, 500), Cell::new(0));
        read(&cache, 7, &made);
        for slot in 10..100 {
            read(&cache, 7, &made);
            read(&cache, slot, &made);
            assert!(cache.bytes() <= 500);
        }
        assert_eq!(made.get(), 91, "block 7 was thrown out though it was used all the time");
    }

    #[test]
    fn no_room_at_all_is_slow_but_right() {
        let (cache, made) = (Cache::new(3, 0), Cell::new(0));
        assert_eq!([0, 1, 2, 1, 0].map(|slot| read(&cache, slot, &made)), [0, 1, 2, 1, 0]);
        assert_eq!((made.get(), cache.bytes()), (5, 0));
    }
}
