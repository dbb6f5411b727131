import Crypto
import Foundation
import Logging
import NIOCore
import ObjectStorage
import Secrets

/// Reads all data in a data folder and compares it with what was acknowledged: both databases, then the file of each
/// object by its MD5. It detects bits that flip on the disk while size and date are unchanged. Changes nothing.
package struct StoreScrub: Sendable {
    private static let chunk = 256 << 10
    private static let page = 100

    let store: DirectoryObjectStore
    private let throttle: @Sendable (Int) async throws -> Void
    private let report: @Sendable (String) -> Void

    /// - Parameters:
    ///   - pace: Waits after this many bytes, to limit the rate.
    ///   - report: Called with each finding.
    package init(
        _ store: DirectoryObjectStore, pace: @escaping @Sendable (Int) async throws -> Void,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.store = store
        self.throttle = pace
        self.report = report
    }

    /// Continues a pass to its end, or until `isTime` returns `true` after an object; the record stores the position.
    /// - Throws: Errors of `pace`. The record counts what was checked until then.
    package func advance(_ record: inout ScrubRecord, now: () -> Date, until isTime: () async throws -> Bool)
        async throws
    {
        if record.position == nil { try await checkDatabases(&record) }
        while true {
            let page = try await store.databases.users.list(after: record.position, limit: Self.page)
            for object in page.objects {
                try await check(object.key, &record)
                record.position = object.key.description
                if try await isTime() { return }
            }
            if !page.isTruncated { break }
        }
        (record.finishedAt, record.position) = (now(), nil)
        store.health.recordScrub(foundDamage: record.hasFindings)
    }

    private func checkDatabases(_ record: inout ScrubRecord) async throws {
        for finding in try await store.databaseFindings(isDeep: true) { add(finding, to: &record) }
    }

    private func add(_ finding: String, to record: inout ScrubRecord) {
        record.add(finding)
        store.health.recordScrub(foundDamage: true)
        report(finding)
    }

    private func check(_ key: ObjectKey, _ record: inout ScrubRecord) async throws {
        do {
            let checked = try await Self.checkFile(key, store, throttle)
            record.files += checked == nil ? 0 : 1
            record.bytes += checked ?? 0
        } catch let error as ObjectStoreError where error != .notStarted {
            add(Self.finding(key, error), to: &record)
        }
    }

    /// Keys are logged for files only: other keys may hold data that must not be logged.
    private static func finding(_ key: ObjectKey, _ error: ObjectStoreError) -> String {
        if case .corrupted = error { return "\(key): missing or damaged" }
        return "\(key): unreadable (\(error))"
    }

    /// Returns the file's size in bytes; `nil` if the object is a row or has been deleted.
    private static func checkFile(
        _ key: ObjectKey, _ store: DirectoryObjectStore, _ pace: @Sendable (Int) async throws -> Void
    ) async throws -> Int64? {
        guard let row = try store.databases.users.row(key), case .file = row.location,
            let found = try await store.find(key, row)
        else { return nil }
        var hasher = Insecure.MD5()
        var offset: Int64 = 0
        while offset < found.row.info.size {
            let count = Int(min(Int64(chunk), found.row.info.size - offset))
            let bytes = try await store.run(on: store.readers) { [offset] () throws(ObjectStoreError) in
                try found.file.bytes(at: offset, count: count)
            }
            bytes.withUnsafeReadableBytes { hasher.update(bufferPointer: $0) }
            offset += Int64(count)
            try await pace(count)
        }
        guard Hex.encode(hasher.finalize()) == found.row.info.etag.description else {
            throw ObjectStoreError.corrupted(key.description)
        }
        return found.row.info.size
    }
}

extension DirectoryObjectStore {
    /// What SQLite finds wrong with the databases, and marks that are missing; empty where they are whole. Reads all of them.
    package func databaseFindings(isDeep: Bool) async throws(ObjectStoreError) -> [String] {
        var findings = databases.missingMarks.map { "\($0): missing: lost commits cannot be detected" }
        for index in databases.all { findings += try await self.findings(in: index, isDeep: isDeep) }
        return findings
    }

    /// Holds changes of accounts until `verifyAccounts` has returned.
    package func holdAccounts() { verification.hold() }

    /// Reads all of the accounts database and the structure of its indexes, for the start of a server.
    /// - Throws: `corrupted` with SQLite's findings; changes of accounts are refused from then on.
    package func verifyAccounts() async throws(ObjectStoreError) {
        do throws(ObjectStoreError) {
            let findings = try await findings(in: databases.accounts, isDeep: false)
            guard findings.isEmpty else { throw ObjectStoreError.corrupted(findings.joined(separator: "; ")) }
            verification.open()
        } catch {
            verification.close(error)
            throw error
        }
    }

    /// Ends a running `verifyAccounts`, and the waits for it, with an error.
    package func stopVerifyingAccounts() {
        verification.close(.unavailable("the server stops"))
        databases.accounts.interruptFindings()
    }

    private func findings(in index: ObjectIndex, isDeep: Bool) async throws(ObjectStoreError) -> [String] {
        do {
            return try await run(on: writers) { () throws(ObjectStoreError) in try index.findings(isDeep: isDeep) }
        } catch .corrupted(let text) {
            return [text]
        }
    }
}
