import Foundation
import ObjectStorage
import PhotoCatalog

/// The limits of uploads in the background.
package struct BackgroundLimits: Sendable {
    /// The largest number of contents that wait.
    package var contents = 2000
    /// The bytes of their copies, unless a single one is larger.
    package var bytes: Int64 = 2 << 30
    /// An address that ends within this many seconds is not used for a new task.
    package var addressMargin: TimeInterval = 60

    package init() {}
}

/// The numbers of contents in the queue.
package struct BackgroundCounts: Sendable, Equatable {
    /// Those that are not handed to the system, for lack of an address.
    package var waiting = 0
    package var running = 0
    /// Those that the catalog does not name yet.
    package var stored = 0

    package init(waiting: Int = 0, running: Int = 0, stored: Int = 0) {
        (self.waiting, self.running, self.stored) = (waiting, running, stored)
    }
}

/// Why uploads in the background could not continue.
package enum BackgroundStop: Error, Equatable {
    /// The queue cannot be read or written.
    case file(FileError)
    case store(ObjectStoreError)
    case catalog(CatalogError)
    /// The server reserved no space.
    case reservation(code: String, detail: String)
    /// Space for some contents is missing. The others are uploaded.
    case quotaExceeded(used: Int64?, limit: Int64)
    /// The system started no upload.
    case transfer(String)
}
