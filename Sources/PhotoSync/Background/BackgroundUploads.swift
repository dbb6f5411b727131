import Foundation
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI

/// Uploads the new contents of backups while the process does not run.
///
/// A content is *planned* once it is copied, *addressed* once space is reserved for it, *handed* to the system with its
/// address, *stored* once the store has it, and leaves the queue once the catalog names it. The process may end between
/// any two steps: the next one asks system and store what they have done, so that no content is lost, and none is sent
/// again that is stored or being sent.
package actor BackgroundUploads: DeferredUploads {
    /// Reserves space for uploads and returns their addresses.
    package typealias Reserver =
        @Sendable (_ requests: UploadRequests) async throws(BackgroundStop) -> ReservedUploads

    private let user: UserID
    private let queue: UploadQueue
    private let store: any ObjectStore
    private let catalogs: CatalogStore
    private let transfer: any BackgroundTransfer
    private let inbox: BackgroundInbox
    private let limits: BackgroundLimits
    private let reserve: Reserver
    private let now: @Sendable () -> Date
    /// Contents of which it is unknown whether the store has them. They are not handed over.
    private var uncertain: Set<ContentDigest>
    private var isAdvancing = false
    /// Contents that are being copied.
    private var copying: [ContentDigest: Int64] = [:]

    /// Opens the queue of a user. Blocks.
    /// - Parameters:
    ///   - stateFolder: The folder in which this device stores its backup state, with the queue and the copies.
    ///   - device: The device that is recorded as the author of the catalog changes.
    ///   - inbox: Receives the ends of the transfer's tasks.
    package init(
        in stateFolder: String, user: UserID, device: DeviceTag, store: any ObjectStore, pause: Backoff,
        transfer: any BackgroundTransfer,
        inbox: BackgroundInbox, limits: BackgroundLimits = BackgroundLimits(), reserve: @escaping Reserver,
        now: @escaping @Sendable () -> Date
    ) throws(FileError) {
        self.init(
            try UploadQueue(Self.folder(in: stateFolder, of: user)), stateFolder: stateFolder, user: user,
            device: device, store: store, pause: pause, transfer: transfer, inbox: inbox, limits: limits,
            reserve: reserve, now: now)
    }

    init(
        _ queue: UploadQueue, stateFolder: String, user: UserID, device: DeviceTag, store: any ObjectStore,
        pause: Backoff, transfer: any BackgroundTransfer, inbox: BackgroundInbox, limits: BackgroundLimits,
        reserve: @escaping Reserver, now: @escaping @Sendable () -> Date
    ) {
        self.user = user
        self.queue = queue
        self.store = store
        catalogs = CatalogStore(
            store: store, user: user, device: device,
            cache: CatalogFolderCache(folder: CatalogFolderCache.folder(in: stateFolder, user: user)), pause: pause)
        self.transfer = transfer
        self.inbox = inbox
        self.limits = limits
        self.reserve = reserve
        self.now = now
        uncertain = queue.doubtful
    }

    deinit { queue.close() }

    /// Continues all uploads as far as possible now.
    /// - Parameter networks: The networks that uploads may use; others are cancelled and handed over again.
    /// - Throws: The reason why not all steps were possible. Nothing is lost; the next call tries them again.
    package func advance(over networks: PermittedNetworks) async throws(BackgroundStop) {
        guard !isAdvancing else { return }
        isAdvancing = true
        defer { isAdvancing = false }
        try await reconcile(networks)
        let unreadable = try await askStore()
        try await commit()
        // What fits is uploaded all the same.
        let (refusal, fresh) = try await reserveSpace()
        try await handOver(networks, fresh)
        if let refusal = refusal ?? unreadable { throw refusal }
    }

    /// Cancels all uploads and removes their copies.
    package func cancelAll() async throws(BackgroundStop) {
        let running = await transfer.running().filter { content(of: $0) != nil }
        await transfer.cancel(Set(running.map(\.id)))
        _ = inbox.drain()
        try await write { queue throws(FileError) in try queue.remove(Array(queue.uploads.keys)) }
        uncertain = []
    }

    /// The number of contents in each state.
    package var counts: BackgroundCounts {
        var counts = BackgroundCounts()
        for upload in queue.uploads.values {
            switch upload.state {
            case .planned, .addressed: counts.waiting += 1
            case .handed: counts.running += 1
            case .stored: counts.stored += 1
            }
        }
        return counts
    }

    package func add(_ entry: CatalogEntry, _ body: ObjectBody) async throws(ObjectStoreError) {
        guard accepts(entry.md5, size: entry.size) else { return }
        copying[entry.md5] = entry.size
        defer { copying[entry.md5] = nil }
        let path = queue.partialCopy(of: entry.md5)
        do {
            let file = try await FileWork.run { () throws(FileError) in try CopyFile(path) }
            for try await chunk in body {
                try await FileWork.run { () throws(FileError) in try file.append(chunk) }
            }
            let queue = queue
            try await FileWork.run { () throws(FileError) in
                try file.sync()
                try queue.add(entry)
            }
        } catch {
            // A full disk gets the space back.
            StateFile.remove(path)
            throw error as? ObjectStoreError ?? .bodyFailed("\(error)")
        }
    }

    package func accepts(_ md5: ContentDigest, size: Int64) -> Bool {
        let (contents, queued) = queue.total
        let bytes = queued + copying.values.reduce(0, +)
        return !queue.contains(md5) && copying[md5] == nil && contents + copying.count < limits.contents
            && (bytes == 0 || bytes + size <= limits.bytes) && size <= UploadRequest.maximumPhotoSize
    }

    static let folderPrefix = "background-"

    private static func folder(in stateFolder: String, of user: UserID) -> String {
        "\(stateFolder)/\(folderPrefix)\(user)"
    }
}

extension BackgroundUploads {
    /// Records which tasks run and which have ended.
    private func reconcile(_ networks: PermittedNetworks) async throws(BackgroundStop) {
        // Listed first: the end of a task that is not listed is in the inbox, or was lost.
        let tasks = await transfer.running()
        var uploads = queue.uploads
        let ends = inbox.drain()
        for end in ends {
            guard let md5 = content(of: end.task) else { continue }
            // Also if it is stored: recording that may fail.
            uncertain.insert(md5)
            if end.isStored { uploads[md5]?.state = .stored }
        }
        let ended = Set(ends.map(\.task.id))
        var running: [ContentDigest: Int] = [:]
        var unwanted: Set<Int> = []
        for task in tasks where !ended.contains(task.id) {
            guard let md5 = content(of: task) else { continue }
            guard let upload = uploads[md5], let address = upload.address, running[md5] == nil,
                mayContinue(task, of: upload, until: address.expiresAt, over: networks)
            else {
                unwanted.insert(task.id)
                uncertain.insert(md5)
                continue
            }
            running[md5] = task.id
            if upload.task != task.id { uploads[md5]?.state = .handed(address, task: task.id, .all) }
        }
        // After this call their bytes are in the store, or in all likelihood never arrive.
        await transfer.cancel(unwanted)
        for (md5, upload) in uploads {
            if running[md5] != nil {
                uncertain.remove(md5)
            } else if case .handed(let address, _, _) = upload.state {
                uploads[md5]?.state = .addressed(address)
                uncertain.insert(md5)
            }
        }
        let known = queue.uploads
        let changed = uploads.values.filter { known[$0.md5] != nil && known[$0.md5] != $0 }
        try await write { queue throws(FileError) in try queue.set(changed) }
    }

    private func mayContinue(
        _ task: BackgroundTask, of upload: QueuedUpload, until end: Date, over networks: PermittedNetworks
    ) -> Bool {
        // A task that has begun may end after its address.
        guard task.hasBegun || end > now().addingTimeInterval(limits.addressMargin) else { return false }
        // Nothing is known of the networks of a task whose start was not recorded.
        if case .handed(_, task.id, .unmetered) = upload.state { return true }
        return networks == .all
    }

    /// Determines whether the store has the contents of which that is unknown.
    /// - Returns: Why some copies could not be read; their contents wait.
    private func askStore() async throws(BackgroundStop) -> BackgroundStop? {
        var unreadable: BackgroundStop?
        for md5 in uncertain.sorted(by: { $0.description < $1.description }) {
            guard var upload = queue.upload(of: md5), upload.state != .stored else {
                uncertain.remove(md5)
                continue
            }
            if try await isStored(upload.entry) {
                upload.state = .stored
                try await write { [upload] queue throws(FileError) in try queue.set([upload]) }
            } else {
                switch await queue.checkCopy(of: upload.entry) {
                case .intact:
                    // With a new address, the server says whether the device may still upload.
                    upload.state = .planned
                    try await write { [upload] queue throws(FileError) in try queue.set([upload]) }
                case .damaged:
                    // The next backup offers the content again.
                    try await write { queue throws(FileError) in try queue.remove([md5]) }
                case .unreadable(let error):
                    unreadable = .file(error)
                    continue
                }
            }
            uncertain.remove(md5)
        }
        return unreadable
    }

    /// Adds stored contents to the catalog, unless they have been there.
    private func commit() async throws(BackgroundStop) {
        let stored = queue.uploads.values.filter { $0.state == .stored }.map(\.entry).sorted { $0.path < $1.path }
        guard !stored.isEmpty else { return }
        var (changes, missing) = ([CatalogChange](), [QueuedUpload]())
        do {
            let version = try await catalogs.endingAbandonedPurge(try await catalogs.load())
            for entry in stored {
                // Also in the trash, and deleted from it: a backup brings nothing back.
                if version.catalog.index(of: entry.path, entry.md5) != nil { continue }
                // Asked after the catalog was read: the commit is refused if a purge began since.
                if try await isStored(entry) {
                    changes.append(.add(entry, replacing: nil))
                } else {
                    missing.append(QueuedUpload(entry: entry, state: .planned))
                    // Its copy is checked first.
                    uncertain.insert(entry.md5)
                }
            }
            if !changes.isEmpty { _ = try await catalogs.commitChanges(changes, onto: version) }
        } catch let error as CatalogError {
            throw .catalog(error)
        } catch let error as BackgroundStop {
            throw error
        } catch {
            throw .reservation(code: "internal_error", detail: "\(error)")
        }
        let lost = Set(missing.map(\.md5))
        try await write { [missing] queue throws(FileError) in
            try queue.set(missing)
            try queue.remove(stored.map(\.md5).filter { !lost.contains($0) })
        }
    }

    /// Reserves space and obtains addresses for planned contents, and for those whose address ends.
    /// - Returns: The reason why not all were reserved, and the contents with new addresses.
    private func reserveSpace() async throws(BackgroundStop) -> (BackgroundStop?, Set<ContentDigest>) {
        let end = now().addingTimeInterval(limits.addressMargin)
        let all = queue.uploads.values
        let open = all.filter { $0.task != nil || ($0.address?.expiresAt ?? end) > end }.count
        let waiting = all.filter { upload in
            guard !uncertain.contains(upload.md5) else { return false }
            return switch upload.state {
            case .planned: true
            case .addressed(let address): address.expiresAt <= end
            case .handed, .stored: false
            }
        }.sorted { $0.entry.path < $1.entry.path }.prefix(max(0, UploadRequests.maximum - open))
        guard !waiting.isEmpty else { return (nil, []) }
        let requests = waiting.map { upload in
            UploadRequest(
                md5: upload.md5.description, size: upload.entry.size, kind: .photo,
                contentType: upload.entry.type.description)
        }
        let reserved = try await reserve(UploadRequests(uploads: requests, lifetime: UploadRequests.maximumLifetime))
        let addressed = zip(waiting, reserved.uploads).compactMap { upload, found in
            found.map {
                QueuedUpload(
                    entry: upload.entry,
                    state: .addressed(UploadAddress(url: $0.url, headers: $0.headers, expiresAt: $0.expiresAt)))
            }
        }
        try await write { queue throws(FileError) in try queue.set(addressed) }
        let fresh = Set(addressed.map(\.md5))
        if addressed.count == waiting.count { return (nil, fresh) }
        return (.quotaExceeded(used: reserved.storageUsed, limit: reserved.storageLimit), fresh)
    }

    /// Hands addressed contents to the system.
    /// - Parameter fresh: Those whose address is new, and thus valid even if this device's clock is wrong.
    private func handOver(
        _ networks: PermittedNetworks, _ fresh: Set<ContentDigest>
    ) async throws(BackgroundStop) {
        let end = now().addingTimeInterval(limits.addressMargin)
        for upload in queue.uploads.values.sorted(by: { $0.entry.path < $1.entry.path }) {
            guard case .addressed(let address) = upload.state, !uncertain.contains(upload.md5),
                address.expiresAt > end || fresh.contains(upload.md5)
            else { continue }
            // Systems fail, or end the process, if the file is missing.
            guard await queue.hasCopy(of: upload.entry) else {
                uncertain.insert(upload.md5)
                continue
            }
            let task: Int
            do {
                task = try await transfer.start(
                    BackgroundUpload(
                        name: name(of: upload.md5), file: queue.copy(of: upload.md5), address: address,
                        networks: networks))
            } catch {
                throw .transfer(error.detail)
            }
            try await write { queue throws(FileError) in
                try queue.set([QueuedUpload(entry: upload.entry, state: .handed(address, task: task, networks))])
            }
        }
    }

    private func write(
        _ change: @escaping @Sendable (UploadQueue) throws(FileError) -> Void
    ) async throws(BackgroundStop) {
        let queue = queue
        do {
            try await FileWork.runUncancelled { () throws(FileError) in try change(queue) }
        } catch {
            throw .file(error)
        }
    }

    private func isStored(_ entry: CatalogEntry) async throws(BackgroundStop) -> Bool {
        let check = StoredContentCheck(store: store, verifiesStoredBytes: false)
        let key = ObjectKey(known: StorageLayout.photo(user, md5: entry.md5.description))
        do { return try await check.check(entry.md5, size: entry.size, at: key) != .missing } catch {
            throw .store(error)
        }
    }

    private func name(of md5: ContentDigest) -> String { "\(user)/\(md5)" }

    /// Returns the content of a task of this user.
    private func content(of task: BackgroundTask) -> ContentDigest? {
        let parts = task.name.split(separator: "/")
        guard parts.count == 2, parts[0] == user.description else { return nil }
        return ContentDigest(parts[1])
    }
}
