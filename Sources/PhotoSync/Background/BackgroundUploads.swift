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
    /// Contents of which it is unknown whether the store has them.
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
        self.user = user
        queue = try UploadQueue("\(stateFolder)/background-\(user)")
        self.store = store
        catalogs = CatalogStore(
            store: store, user: user, device: device,
            cache: CatalogFolderCache(folder: CatalogFolderCache.folder(in: stateFolder, user: user)), pause: pause)
        self.transfer = transfer
        self.inbox = inbox
        self.limits = limits
        self.reserve = reserve
        self.now = now
        // The process may have ended before it recorded what it handed over.
        uncertain = Set(queue.uploads.values.filter { $0.address != nil }.map(\.md5))
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
        try await askStore()
        try await commit()
        // What fits is uploaded all the same.
        let refusal = try await reserveSpace()
        try await handOver(networks)
        if let refusal { throw refusal }
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
        let uploads = queue.uploads
        let bytes = uploads.values.reduce(0) { $0 + $1.entry.size } + copying.values.reduce(0, +)
        guard uploads[entry.md5] == nil, uploads.count + copying.count < limits.contents,
            bytes == 0 || bytes + entry.size <= limits.bytes, entry.size <= UploadRequest.maximumPhotoSize,
            copying[entry.md5] == nil
        else { return }
        copying[entry.md5] = entry.size
        defer { copying[entry.md5] = nil }
        do {
            let path = queue.partialCopy(of: entry.md5)
            let file = try await FileWork.run { () throws(FileError) in try CopyFile(path) }
            for try await chunk in body {
                try await FileWork.run { () throws(FileError) in try file.append(chunk) }
            }
            let queue = queue
            try await FileWork.run { () throws(FileError) in
                try file.sync()
                try queue.add(entry)
            }
        } catch let error as ObjectStoreError {
            throw error
        } catch {
            throw .bodyFailed("\(error)")
        }
    }
}

extension BackgroundUploads {
    /// Records which tasks run and which have ended.
    private func reconcile(_ networks: PermittedNetworks) async throws(BackgroundStop) {
        // Listed first: the end of a task that is not listed is in the inbox, or was lost.
        let tasks = await transfer.running()
        var uploads = queue.uploads
        for end in inbox.drain() {
            guard let md5 = content(of: end.task), var upload = uploads[md5], upload.state != .stored else { continue }
            if end.isStored {
                upload.state = .stored
                uploads[md5] = upload
            } else if upload.task == end.task.id {
                uncertain.insert(md5)
            }
        }
        var running: [ContentDigest: Int] = [:]
        var unwanted: Set<Int> = []
        for task in tasks {
            guard let md5 = content(of: task) else { continue }
            guard let upload = uploads[md5], let address = upload.address, running[md5] == nil else {
                unwanted.insert(task.id)
                continue
            }
            // A task that has begun may end after its address.
            let isTooLate = !task.hasBegun && address.expiresAt <= now().addingTimeInterval(limits.addressMargin)
            var isForbidden = false
            if case .handed(_, _, .all) = upload.state { isForbidden = networks == .unmetered }
            if isTooLate || isForbidden {
                unwanted.insert(task.id)
                continue
            }
            running[md5] = task.id
            if upload.task != task.id {
                // Nothing is known of the networks of a task whose start was not recorded.
                uploads[md5]?.state = .handed(address, task: task.id, .all)
            }
        }
        await transfer.cancel(unwanted)
        for (md5, upload) in uploads {
            if running[md5] != nil {
                uncertain.remove(md5)
            } else if case .handed(let address, _, _) = upload.state {
                uploads[md5]?.state = .addressed(address)
                uncertain.insert(md5)
            }
        }
        try await record(uploads)
    }

    /// Determines whether the store has the contents of which that is unknown.
    private func askStore() async throws(BackgroundStop) {
        var uploads = queue.uploads
        var damaged: [ContentDigest] = []
        for md5 in uncertain.sorted(by: { $0.description < $1.description }) {
            guard let upload = uploads[md5], upload.state != .stored else {
                uncertain.remove(md5)
                continue
            }
            if try await isStored(upload.entry) {
                uploads[md5]?.state = .stored
            } else if await isIntact(upload.entry) {
                // With a new address, the server says whether the device may still upload.
                uploads[md5]?.state = .planned
            } else {
                // The next backup offers the content again.
                damaged.append(md5)
            }
            try await record(uploads)
            uncertain.remove(md5)
        }
        try await write { [damaged] queue throws(FileError) in try queue.remove(damaged) }
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
    /// - Returns: The reason why not all were reserved.
    private func reserveSpace() async throws(BackgroundStop) -> BackgroundStop? {
        let end = now().addingTimeInterval(limits.addressMargin)
        let all = queue.uploads.values
        let open = all.filter { $0.task != nil || ($0.address?.expiresAt ?? end) > end }.count
        let waiting = all.filter { upload in
            switch upload.state {
            case .planned: true
            case .addressed(let address): address.expiresAt <= end
            case .handed, .stored: false
            }
        }.sorted { $0.entry.path < $1.entry.path }.prefix(max(0, UploadRequests.maximum - open))
        guard !waiting.isEmpty else { return nil }
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
        if addressed.count == waiting.count { return nil }
        return .quotaExceeded(used: reserved.storageUsed, limit: reserved.storageLimit)
    }

    /// Hands addressed contents to the system.
    private func handOver(_ networks: PermittedNetworks) async throws(BackgroundStop) {
        let end = now().addingTimeInterval(limits.addressMargin)
        for upload in queue.uploads.values.sorted(by: { $0.entry.path < $1.entry.path }) {
            guard case .addressed(let address) = upload.state, address.expiresAt > end else { continue }
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

    private func record(_ uploads: [ContentDigest: QueuedUpload]) async throws(BackgroundStop) {
        let known = queue.uploads
        let changed = uploads.values.filter { known[$0.md5] != nil && known[$0.md5] != $0 }
        try await write { queue throws(FileError) in try queue.set(changed) }
    }

    private func write(
        _ change: @escaping @Sendable (UploadQueue) throws(FileError) -> Void
    ) async throws(BackgroundStop) {
        let queue = queue
        do {
            try await FileWork.run { () throws(FileError) in try change(queue) }
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

    /// Returns whether the copy of a content has its bytes.
    private func isIntact(_ entry: CatalogEntry) async -> Bool {
        let path = queue.copy(of: entry.md5)
        do {
            let fingerprint = try await FileWork.run { () throws(FileError) in try OpenFile(path).fingerprint() }
            guard fingerprint.size == entry.size else { return false }
            let body = VerifiedFileBody(path: path, fingerprint: fingerprint, md5: entry.md5) { _ in }
            for try await _ in body {}
            return true
        } catch {
            return false
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
