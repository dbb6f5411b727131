import Foundation
import Logging
import Monitoring
import ObjectStorage

/// The scheduled scrub: runs for some minutes at a time, resumes where it stopped, and starts a pass after each
/// interval.
package struct ScrubJob: Sendable {
    /// The interval between two writes of the record, in seconds.
    private static let saveInterval: TimeInterval = 60

    private let store: DirectoryObjectStore
    private let documents: Documents<ScrubRecord>
    private let key: ObjectKey
    private let passInterval: TimeInterval
    private let now: @Sendable () -> Date
    private let logger: Logger

    /// - Parameters:
    ///   - key: The key of the record.
    ///   - pass: Seconds from the start of one pass to the start of the next.
    package init(
        _ store: DirectoryObjectStore, record key: ObjectKey, retry: RetryPolicy, every pass: TimeInterval,
        now: @escaping @Sendable () -> Date, logger: Logger
    ) {
        self.store = store
        documents = Documents(store: store, retry: retry)
        self.key = key
        self.passInterval = pass
        self.now = now
        self.logger = logger
    }

    /// Loads the findings of other processes. One read.
    package func readFindings() async throws(ObjectStoreError) {
        if let record = try await documents.load(key)?.value {
            store.health.recordScrub(foundDamage: record.hasFindings)
        }
    }

    /// Starts a pass if one is due, and works on it.
    /// - Parameters:
    ///   - seconds: The time limit.
    ///   - rate: Bytes per second; 0 is unlimited.
    /// - Returns: The resulting record; `nil` if no pass is due.
    @discardableResult
    package func run(
        for seconds: TimeInterval, rate: Int,
        pause: @escaping @Sendable (Duration) async throws -> Void
    ) async throws -> ScrubRecord? {
        var stored = try await documents.load(key)
        let start = now()
        guard var record = next(stored?.value, at: start) else { return nil }
        // A new pass is stored before it reads an object, so that an erasure finds and replaces its record.
        if record != stored?.value { stored = try await save(record, over: stored) }
        let scrub = StoreScrub(
            store,
            pace: { bytes in if rate > 0 { try await pause(.microseconds(bytes * 1_000_000 / rate)) } },
            report: { [logger] in
                logger.error(.scrubDamage, "scrub found damage", metadata: ["object": "\($0)"])
            })
        var savedAt = start
        do {
            repeat {
                try await scrub.advance(&record, now: now) {
                    let time = now()
                    return time.timeIntervalSince(savedAt) >= Self.saveInterval
                        || time.timeIntervalSince(start) >= seconds
                }
                savedAt = now()
                stored = try await saveOrLoad(record, over: stored)
                guard let current = stored?.value else { return nil }
                record = current
            } while record.finishedAt == nil && savedAt.timeIntervalSince(start) < seconds
        } catch {
            _ = try? await save(record, over: stored)
            throw error
        }
        if record.finishedAt != nil {
            logger.notice(
                .scrubCompleted, "scrub completed",
                metadata: [
                    "files": "\(record.files)", "bytes": "\(record.bytes)", "findings": "\(record.findingCount)",
                ])
        }
        return record
    }

    private func next(_ record: ScrubRecord?, at time: Date) -> ScrubRecord? {
        guard let record else { return ScrubRecord(startedAt: time) }
        let isDue = record.finishedAt != nil && time.timeIntervalSince(record.startedAt) >= passInterval
        guard isDue else { return record.finishedAt == nil ? record : nil }
        return record.nextPass(startedAt: time)
    }

    /// Writes the record, unless an erasure or another scrub replaced it: then this one may name erased objects.
    /// - Returns: What is stored now.
    private func saveOrLoad(
        _ record: ScrubRecord, over stored: Stored<ScrubRecord>?
    ) async throws(ObjectStoreError) -> Stored<ScrubRecord>? {
        do {
            return try await save(record, over: stored)
        } catch {
            guard error == .preconditionFailed else { throw error }
            return try await documents.load(key)
        }
    }

    private func save(
        _ record: ScrubRecord, over stored: Stored<ScrubRecord>?
    ) async throws(ObjectStoreError) -> Stored<ScrubRecord> {
        guard let stored else { return try await documents.create(key, record) }
        return try await documents.replace(key, stored, with: record)
    }
}
