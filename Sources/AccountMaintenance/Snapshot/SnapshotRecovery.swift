import Accounts
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import Secrets

/// Writes a snapshot into an empty store. The whole file is read and verified before anything is written; an
/// interrupted run can be repeated.
///
/// It ends every session of every account, because sign-outs, removed devices and used refresh tokens since the
/// snapshot are not in it.
package struct SnapshotRecovery: Sendable {
    /// Returns the next bytes of the file; `nil` at its end.
    package typealias ChunkReader = () throws(SnapshotError) -> ByteBuffer?

    let documents: Documents<AccountDocument>
    let bindings: IdentityBindings
    private let markers: Documents<RecoveryMarker>
    private let keyRing: KeyRing
    private let now: @Sendable () -> Date
    private let randomness: Randomness
    private let retry: RetryPolicy
    /// The number of objects written concurrently.
    private static let batchSize = 32

    package init(
        store: any ObjectStore, retry: RetryPolicy, keyRing: KeyRing, now: @escaping @Sendable () -> Date,
        randomness: Randomness
    ) {
        documents = Documents(store: store, retry: retry)
        bindings = IdentityBindings(writes: documents.writes)
        markers = Documents(store: store, retry: retry)
        self.keyRing = keyRing
        self.now = now
        self.randomness = randomness
        self.retry = retry
    }

    private var store: any ObjectStore { documents.store }

    /// Verifies the file, the settings and the store, then writes the snapshot and schedules the erasure of all accounts in it
    /// that were deleted before.
    /// - Parameters:
    ///   - open: starts reading the file from its beginning; called up to three times.
    ///   - subjects: the requested key encoding, if any.
    ///   - ledger: the lines of a copy of the erasure ledger, which has the deletions since the snapshot; `nil` for none.
    ///   - isDryRun: whether to write nothing.
    package func run(
        _ environment: DeploymentEnvironment, _ subjects: KeyEncoding.Mode?, ledger: [Data]? = nil, isDryRun: Bool,
        _ open: () throws(SnapshotError) -> ChunkReader
    ) async throws(SnapshotError) -> RecoveredSnapshot {
        let copy = ErasureLedgerCopy(store, keyRing)
        do {
            if let ledger { try copy.check(ledger) }
        } catch {
            throw .ledger(error)
        }
        var reader = SnapshotReader(try open())
        let contents = try await reader.read(keyRing) { (_, _) throws(SnapshotError) in }
        guard let manifest = contents.manifest else { throw .notASnapshot }
        do {
            try manifest.check(environment, subjects)
            try manifest.check(keyRing)
        } catch {
            throw .storeMismatch(error)
        }
        let known = try await marker(of: contents)
        guard !isDryRun else { return RecoveredSnapshot(summary: contents.summary) }
        var marker = if let known { known } else { try await createMarker(contents) }
        if !marker.value.isWritten {
            try await write(contents, open)
            var next = marker.value
            next.isWritten = true
            let (before, after) = (marker, next)
            marker = try await mapStoreErrors { () throws(ObjectStoreError) in
                try await markers.replace(RecoveryMarker.key, before, with: after)
            }
        }
        try await reconcileMovedIdentities(contents.summary, open)
        var recovered = RecoveredSnapshot(summary: contents.summary)
        do {
            if let ledger { recovered.addedDeletions = try await copy.read(ledger).entries }
            recovered.deletedAgain = try await deleteAgain(manifest)
        } catch let failure as ErasureLedgerCopy.Failure {
            throw .ledger(failure)
        } catch let error as ObjectStoreError {
            throw .store(error)
        } catch {
            throw .deletionNotRepeated("\(error)")
        }
        let tag = marker.etag
        _ = try await mapStoreErrors { () throws(ObjectStoreError) in
            try await documents.writes.delete(RecoveryMarker.key, if: .matches(tag))
        }
        return recovered
    }

    /// Schedules the erasure of all accounts that were deleted before. Idempotent: returns those of an earlier run, too.
    private func deleteAgain(_ manifest: StoreManifest) async throws -> [UserID] {
        let naming = try ManifestCache(
            manifest, readAt: now(), store: store, keyRing: keyRing, retry: retry, now: now)
        let accounts = AccountDirectory(
            store: store, naming: naming, keyRing: keyRing, retry: retry, now: now, randomness: randomness)
        let erased = try await accounts.erasures.erasedAccounts()
        guard !erased.isEmpty else { return [] }
        var (found, folders) = ([UserID](), AccountFolders(store))
        while let folder = try await folders.next() {
            guard erased.mayContain(folder.user), let account = try await accounts.account(folder.user) else {
                continue
            }
            if try await accounts.isResurrected(account.value, among: erased) {
                try await accounts.scheduleErasure(of: account)
            } else if account.value.deletion?.actor != .service {
                continue
            }
            found.append(folder.user)
        }
        return found
    }

    /// Returns the marker of an earlier run with this snapshot; `nil` in an empty store.
    private func marker(
        of contents: SnapshotReader.Contents
    ) async throws(SnapshotError) -> Stored<RecoveryMarker>? {
        if let known = try await mapStoreErrors({ () throws(ObjectStoreError) in
            try await markers.load(RecoveryMarker.key)
        }) {
            guard known.value.sha256 == contents.sha256 else { throw .anotherRecoveryUnfinished }
            return known
        }
        for prefix in SnapshotScope.prefixes {
            let page = try await mapStoreErrors { () throws(ObjectStoreError) in
                try await store.list(prefix: prefix, after: nil, limit: 1000)
            }
            if let other = page.objects.first(where: { SnapshotScope.contains($0.key) }) {
                throw .storeNotEmpty(other.key.description)
            }
        }
        return nil
    }

    private func createMarker(_ contents: SnapshotReader.Contents) async throws(SnapshotError) -> Stored<RecoveryMarker>
    {
        let marker = RecoveryMarker(version: 1, sha256: contents.sha256, startedAt: now())
        do {
            return try await markers.create(RecoveryMarker.key, marker)
        } catch .preconditionFailed {
            throw .anotherRecoveryUnfinished
        } catch {
            throw .store(error)
        }
    }

    private func write(
        _ contents: SnapshotReader.Contents, _ open: () throws(SnapshotError) -> ChunkReader
    ) async throws(SnapshotError) {
        var batch: [(key: ObjectKey, bytes: ByteBuffer)] = []
        var reader = SnapshotReader(try open())
        let again = try await reader.read(keyRing) { (key, bytes) throws(SnapshotError) in
            batch.append((key, try restored(key, bytes)))
            guard batch.count == Self.batchSize else { return }
            try await write(batch)
            batch = []
        }
        try await write(batch)
        guard again == contents else { throw .fileChanged }
    }

    private func write(_ batch: [(key: ObjectKey, bytes: ByteBuffer)]) async throws(SnapshotError) {
        _ = try await mapConcurrently(batch) { (object) throws(SnapshotError) in
            let isOurs = try await mapStoreErrors { () throws(ObjectStoreError) in
                let outcome = try await documents.writes.put(object.key, object.bytes, if: .absent)
                if case .written = outcome { return true }
                // Written by an earlier run, or by another writer.
                return try await store.get(object.key)?.bytes == object.bytes
            }
            guard isOurs else { throw .storeNotEmpty(object.key.description) }
        }
    }

    /// Returns an object as it is written: an account with all its sessions ended, every other object unchanged. The
    /// bytes are the same in every run.
    private func restored(_ key: ObjectKey, _ bytes: ByteBuffer) throws(SnapshotError) -> ByteBuffer {
        guard SnapshotScope.kind(of: key) == .account, var account = Documents<AccountDocument>.decode(bytes) else {
            return bytes
        }
        account.version += 1
        account.sessionEpoch += 1
        account.keptSessions = []
        do {
            return try Documents.bytes(of: account)
        } catch {
            throw .store(error)
        }
    }

    func mapStoreErrors<Value: Sendable>(
        _ request: () async throws(ObjectStoreError) -> Value
    ) async throws(SnapshotError) -> Value {
        try await SnapshotError.mapStoreErrors(request)
    }

    /// Reads the file again and visits its accounts.
    func forEachAccount(
        _ open: () throws(SnapshotError) -> ChunkReader, _ body: (AccountDocument) async throws(SnapshotError) -> Void
    ) async throws(SnapshotError) {
        var reader = SnapshotReader(try open())
        _ = try await reader.read(keyRing) { (key, bytes) throws(SnapshotError) in
            guard SnapshotScope.kind(of: key) == .account, let account = Documents<AccountDocument>.decode(bytes) else {
                return
            }
            try await body(account)
        }
    }
}
