import PhotoCatalog

#if os(Linux)
    @preconcurrency import Dispatch
    import Synchronization

    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// A watcher of a folder and its subfolders that uses inotify(7).
    package struct InotifyWatcher: FolderWatcher {
        package init() {}

        package func watch(
            _ folder: String, notify: @escaping @Sendable (FolderSignal) -> Void
        ) throws(FileError) -> any FolderWatch {
            try InotifyWatch(folder, notify)
        }
    }

    private final class InotifyWatch: FolderWatch {
        private struct State {
            /// The watched folders by watch descriptor.
            var folders: [CInt: String] = [:]
            var isPartialReported = false
            /// The watch descriptor of the root folder; `nil` once it is no longer watched.
            var root: CInt?
        }

        private static let events = UInt32(
            IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_ONLYDIR
                | IN_DONT_FOLLOW | IN_EXCL_UNLINK)
        private static let bufferLength = 1 << 16

        private let descriptor: CInt
        private let source: any DispatchSourceRead
        private let notify: @Sendable (FolderSignal) -> Void
        private let folder: String
        private let root: String
        private let identity: FolderIdentity
        private let state = Mutex(State())

        init(_ folder: String, _ notify: @escaping @Sendable (FolderSignal) -> Void) throws(FileError) {
            let root = try LocalFolder.resolve(folder)
            (self.folder, self.root) = (folder, root.isEmpty ? "/" : root)
            // A folder that replaces it from here on is detected by `isCurrent`.
            identity = try FolderIdentity(self.root)
            descriptor = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
            guard descriptor >= 0 else { throw .last }
            self.notify = notify
            source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
            let number = descriptor
            source.setCancelHandler { close(number) }
            source.setEventHandler { [weak self] in self?.drain() }
            source.activate()
            add(self.root)
            // Without a watch of its own, a replacement of the root folder could not be detected.
            guard state.withLock({ $0.root }) != nil else { throw .unsupported }
        }

        deinit { source.cancel() }

        var isCurrent: Bool {
            state.withLock { $0.root != nil } && identity.isCurrent(folder)
        }

        /// Watches a folder and its subfolders. Folders that no longer exist or cannot be read are skipped.
        private func add(_ folder: String) {
            let isRoot = folder == root
            let events = isRoot ? Self.events | UInt32(IN_MOVE_SELF) : Self.events
            let number = LocalName.withPath(folder) { inotify_add_watch(descriptor, $0, events) }
            guard number >= 0 else {
                if errno == ENOSPC, !isRoot { reportPartialWatch() }
                return
            }
            state.withLock { state in
                state.folders[number] = folder
                if isRoot { state.root = number }
            }
            guard let names = try? FolderListing.names(of: folder) else { return }
            for name in names where !name.starts(with: LibraryPath.reservedPrefix.utf8) {
                guard let name = LocalName.text(of: name) else { continue }
                var status = stat()
                let path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
                if LocalName.withPath(path, { lstat($0, &status) }) == 0, status.isFolder { add(path) }
            }
        }

        private func reportPartialWatch() {
            let isFirst = state.withLock { state in
                defer { state.isPartialReported = true }
                return !state.isPartialReported
            }
            if isFirst { notify(.watchesOnlyPart) }
        }

        private func drain() {
            let space = UnsafeMutableRawBufferPointer.allocate(
                byteCount: Self.bufferLength, alignment: MemoryLayout<inotify_event>.alignment)
            defer { space.deallocate() }
            var isChanged = false
            while true {
                let count = retrying { read(descriptor, space.baseAddress, space.count) }
                guard count > 0 else { break }
                if handleEvents(UnsafeRawBufferPointer(rebasing: space[..<count])) { isChanged = true }
            }
            if isChanged { notify(.changed) }
        }

        /// - Returns: Whether any of the events is relevant.
        private func handleEvents(_ bytes: UnsafeRawBufferPointer) -> Bool {
            var (offset, isChanged) = (0, false)
            let header = MemoryLayout<inotify_event>.size
            while offset + header <= bytes.count {
                let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                let end = min(bytes.count, offset + header + Int(event.len))
                let name = bytes[(offset + header)..<end].prefix { $0 != 0 }
                offset = end
                if handleEvent(event, Array(name)) { isChanged = true }
            }
            return isChanged
        }

        private func handleEvent(_ event: inotify_event, _ name: [UInt8]) -> Bool {
            if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
                // Events for new folders may have been lost.
                add(root)
                return true
            }
            if event.mask & UInt32(IN_IGNORED) != 0 {
                return state.withLock { state in
                    state.folders[event.wd] = nil
                    guard state.root == event.wd else { return false }
                    state.root = nil
                    return true
                }
            }
            // The library's own files are created and removed while it works.
            if name.starts(with: LibraryPath.reservedPrefix.utf8) { return false }
            let isNew = event.mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0
            if isNew, event.mask & UInt32(IN_ISDIR) != 0, let name = LocalName.text(of: name),
                let folder = state.withLock({ $0.folders[event.wd] })
            {
                add(folder == "/" ? "/\(name)" : "\(folder)/\(name)")
            }
            return true
        }
    }
#endif
