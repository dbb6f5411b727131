import Accounts
import ObjectStorage
import PhotolalaAPI

/// Copies users' objects to their destinations and verifies each copy.
extension ImportPass {
    func importFiles() async throws(AccountError) {
        for folder in StorageLayout.legacyFolders {
            var owners = LegacyOwners(self)
            try await forEachConcurrently(of: Listing(store, prefix: folder)) { (object) throws(AccountError) in
                let file = LegacyFile(object.key)
                guard let user = file.user else {
                    tally.record(.keyUnknown, nil, object.key.description)
                    tally.recordExamined()
                    return nil
                }
                if !isDryRun, try await !owners.mayImport(user, object.key) {
                    tally.recordExamined()
                    return nil
                }
                return { () throws(AccountError) in
                    defer { tally.recordExamined() }
                    try await importIfReadable(object, file, user)
                }
            }
        }
    }

    /// An object that cannot be read must not block the others.
    private func importIfReadable(
        _ object: ListedObject, _ file: LegacyFile, _ user: UserID
    ) async throws(AccountError) {
        do {
            try await importFile(object, file, user)
        } catch {
            switch error {
            case .corrupted, .store(.denied), .store(.archived), .store(.corrupted):
                tally.record(.objectUnreadable, user, object.key.description)
            default: throw error
            }
        }
    }

    private func importFile(_ object: ListedObject, _ file: LegacyFile, _ user: UserID) async throws(AccountError) {
        try await importProfile(object, user)
        switch file {
        case .unknown: return
        case .inPlace: tally.count { $0.filesInPlace += 1 }
        case .relocate(_, let destination):
            // A dry run reads the bytes only if the destination exists.
            if isDryRun,
                try await mapStoreErrors({ () throws(ObjectStoreError) in try await store.head(destination) }) == nil
            {
                return tally.count { $0.countFile(object, isMoved: false) }
            }
            try await importFile(object, user) { _ in destination }
        case .photo:
            guard object.key.description != StorageLayout.photo(user, md5: object.etag.description) else {
                return tally.count { $0.filesInPlace += 1 }
            }
            // A dry run does not read photos.
            if isDryRun { return try await count(object, user) }
            try await importFile(object, user) { ObjectKey(known: StorageLayout.photo(user, md5: $0)) }
        }
    }

    private func importFile(
        _ object: ListedObject, _ user: UserID, to destinationKey: (_ md5: String) -> ObjectKey
    ) async throws(AccountError) {
        let key = object.key.description
        let known = try await records.load(user, about: key)
        if known?.value.isDone == true { return tally.count { $0.countFile(object, isMoved: true) } }
        guard let md5 = try await md5(of: object.key) else { return }
        let destination = destinationKey(md5)
        guard destination != object.key else { return tally.count { $0.filesInPlace += 1 } }
        let found = try await holds(destination, object.size, md5)
        tally.count { $0.countFile(object, isMoved: false) }
        guard found != false else { return tally.record(.destinationTaken, user, key) }
        guard !isDryRun else { return }
        let record: Stored<ImportRecord>
        if let known {
            guard known.value.destination == destination.description else {
                return tally.record(.sourceChanged, user, key)
            }
            record = known
        } else {
            record = try await records.create(
                ImportRecord(
                    user: user, source: ImportRecord.Source(object, md5: md5), destination: destination.description,
                    replaced: nil, attributes: [:], wasThere: found == true
                )
            )
        }
        if found == nil { try await copy(object.key, to: destination) }
        guard try await holds(destination, object.size, md5) == true else {
            return tally.record(.sourceChanged, user, key)
        }
        try await records.finish(record)
        tally.count { $0.filesMoved += 1 }
        reportMisnamed(object.key, md5, destination, user)
    }

    private func count(_ object: ListedObject, _ user: UserID) async throws(AccountError) {
        let known = try await records.load(user, about: object.key.description)
        tally.count { $0.countFile(object, isMoved: known?.value.isDone == true) }
    }

    private func reportMisnamed(_ key: ObjectKey, _ md5: String, _ destination: ObjectKey, _ user: UserID) {
        guard destination.hasPrefix(StorageLayout.photos(user)) else { return }
        let name = key.description.split(separator: "/").last.map(String.init) ?? ""
        guard let namedDigest = LegacyFile.digest(in: name), namedDigest != md5 else { return }
        tally.record(.photoMisnamed, user, key.description, isSettled: true)
    }

    /// Copies an object with its attributes to a key that must be free. The caller verifies the copy.
    private func copy(_ key: ObjectKey, to destination: ObjectKey) async throws(AccountError) {
        let retry = directory.retry
        for attempt in 0..<retry.attempts {
            guard
                let reading = try await mapStoreErrors({ () throws(ObjectStoreError) in
                    try await store.read(key, range: nil)
                })
            else { return }
            do {
                let attributes = reading.info.attributes
                try await store.write(destination, reading.body, attributes: attributes, if: .absent)
                return
            } catch {
                switch error {
                case .preconditionFailed: return
                case .conflict, .unavailable, .outcomeUnknown: await retry.pause(after: attempt)
                default: throw .store(error)
                }
                if attempt + 1 == retry.attempts { throw .store(error) }
            }
        }
    }
}

extension ImportSummary {
    fileprivate mutating func countFile(_ object: ListedObject, isMoved: Bool) {
        files += 1
        bytes += object.size
        if isMoved { filesMoved += 1 }
    }
}
