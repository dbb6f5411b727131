import Foundation
import ObjectStorage
import Synchronization

/// Photos that could be read a moment ago, so that a page and the pictures in it ask the store once.
final class ReadablePhotos: Sendable {
    private let ends = Mutex(RecentValues<ObjectKey, Date>(capacity: 4096))

    func contains(_ key: ObjectKey, at now: Date) -> Bool { ends.withLock { $0.value(key).map { now < $0 } ?? false } }

    func insert(_ key: ObjectKey, until end: Date) { ends.withLock { $0.insert(end, at: key) } }
}
