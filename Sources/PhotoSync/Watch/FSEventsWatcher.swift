#if os(macOS)
    import CoreServices
    import Dispatch
    import Foundation
    import PhotoCatalog
    import Synchronization

    /// A watcher of a folder and its subfolders that uses the File System Events API.
    package struct FSEventsWatcher: FolderWatcher {
        package init() {}

        package func watch(
            _ folder: String, notify: @escaping @Sendable (FolderSignal) -> Void
        ) throws(FileError) -> any FolderWatch {
            try FSEventsWatch(folder, notify)
        }
    }

    private final class FSEventsWatch: FolderWatch {
        /// What the system's callback refers to. The stream retains it.
        private final class Receiver: Sendable {
            let root: String
            let notify: @Sendable (FolderSignal) -> Void
            let isMoved = Mutex(false)

            init(_ root: String, _ notify: @escaping @Sendable (FolderSignal) -> Void) {
                (self.root, self.notify) = (root, notify)
            }

            func receive(_ paths: [(path: UnsafePointer<CChar>, flags: FSEventStreamEventFlags)]) {
                var isChanged = false
                for (path, flags) in paths {
                    if flags & FSEventStreamEventFlags(kFSEventStreamEventFlagRootChanged) != 0 {
                        isMoved.withLock { $0 = true }
                        isChanged = true
                    } else if flags & Self.unspecific != 0 {
                        isChanged = true
                    } else {
                        let bytes = UnsafeRawBufferPointer(start: path, count: strlen(path))
                        isChanged = isChanged || FolderSignal.isCaused(byChangeOf: bytes, in: root)
                    }
                }
                if isChanged { notify(.changed) }
            }

            /// Flags of events that stand for any change below a folder.
            private static let unspecific = FSEventStreamEventFlags(
                kFSEventStreamEventFlagMustScanSubDirs | kFSEventStreamEventFlagMount
                    | kFSEventStreamEventFlagUnmount)
        }

        /// How long the system collects events, in seconds.
        private static let latency = 0.5

        private let folder: String
        private let identity: FolderIdentity
        private let receiver: Receiver
        private let stream: Mutex<FSEventStreamRef?>

        init(_ folder: String, _ notify: @escaping @Sendable (FolderSignal) -> Void) throws(FileError) {
            let resolved = try LocalFolder.resolve(folder)
            let root = resolved.isEmpty ? "/" : resolved
            self.folder = folder
            // A folder that replaces it from here on is detected by `isCurrent`.
            identity = try FolderIdentity(root)
            receiver = Receiver(root, notify)
            var context = FSEventStreamContext(
                version: 0, info: Unmanaged.passUnretained(receiver).toOpaque(),
                retain: { info in
                    guard let info else { return nil }
                    return UnsafeRawPointer(Unmanaged<Receiver>.fromOpaque(info).retain().toOpaque())
                },
                release: { info in
                    guard let info else { return }
                    Unmanaged<Receiver>.fromOpaque(info).release()
                }, copyDescription: nil)
            let callback: FSEventStreamCallback = { _, info, count, paths, flags, _ in
                guard let info else { return }
                let names = paths.assumingMemoryBound(to: UnsafePointer<CChar>.self)
                Unmanaged<Receiver>.fromOpaque(info).takeUnretainedValue().receive(
                    (0..<count).map { (names[$0], flags[$0]) })
            }
            let flags = FSEventStreamCreateFlags(kFSEventStreamCreateFlagFileEvents | kFSEventStreamCreateFlagWatchRoot)
            let created = FSEventStreamCreate(
                nil, callback, &context, NSArray(array: [root]) as CFArray,
                FSEventStreamEventId(kFSEventStreamEventIdSinceNow), Self.latency, flags)
            guard let created else { throw .unsupported }
            FSEventStreamSetDispatchQueue(created, DispatchQueue(label: "photolala.watch"))
            guard FSEventStreamStart(created) else {
                FSEventStreamInvalidate(created)
                FSEventStreamRelease(created)
                throw .unsupported
            }
            stream = Mutex(created)
        }

        deinit {
            stream.withLock { stream in
                guard let stream else { return }
                FSEventStreamStop(stream)
                FSEventStreamInvalidate(stream)
                FSEventStreamRelease(stream)
            }
        }

        var isCurrent: Bool { !receiver.isMoved.withLock { $0 } && identity.isCurrent(folder) }
    }
#endif
