import ArgumentParser
import DirectoryStorage
import Foundation
import Logging
import ObjectStorage
import PhotolalaAPI
import ServiceWiring
import Synchronization

/// Reads all data in a data folder and compares it with the acknowledged writes.
struct ScrubStore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scrub",
        abstract: "Read both databases and all stored files of a data folder, and report damage.",
        discussion: """
            Repairs nothing. A server may run on the folder at the same time. If the folder is writable, the result is \
            recorded for the server's health.
            """
    )

    @OptionGroup var options: SettingsOptions

    @Option(help: "Bytes to read per second; 0 for no limit.")
    var bytesPerSecond = 0

    func validate() throws {
        guard bytesPerSecond >= 0 else { throw ValidationError("--bytes-per-second must not be negative") }
    }

    func run() async throws {
        let found = Mutex(0)
        try await ExitStatus.reporting {
            let settings = try options.read()
            guard settings.store.folder != nil else {
                throw StartProblem("scrub requires a data folder; a bucket's engine checks its own disks")
            }
            try LiveStore.requireStore(settings)
            let logger = settings.log.makeLogger("photolala.scrub")
            try await LiveStore.open(settings, for: .reading, logger: logger) { store in
                guard case .folder(let store, _) = store else { return }
                let record = try await scrub(store)
                print(
                    "Read \(Counted.text(record.files, "file")) (\(Counted.text(Int(record.bytes), "byte"))): "
                        + Counted.findings(record.findingCount))
                found.withLock { $0 = record.findingCount }
            }
        }
        if found.withLock({ $0 }) > 0 { throw ExitCode.failure }
    }

    private func scrub(_ store: DirectoryObjectStore) async throws -> ScrubRecord {
        let rate = bytesPerSecond
        let scrub = StoreScrub(
            store,
            pace: { bytes in
                if rate > 0 { try await Task.sleep(for: .microseconds(bytes * 1_000_000 / rate)) }
            }, report: { print("damaged  \($0)") })
        var record = ScrubRecord(startedAt: Date())
        let result = ScrubResult(store, record: ObjectKey(known: StorageLayout.scrub), retry: LiveStore.retry)
        // A failure to record the result must not hide it: the database itself may be damaged.
        var initial: ScrubRecord?
        do { if store.acceptsWrites { initial = try await result.begin(record) } } catch {
            ExitStatus.printError("cannot record the result: \(error)")
        }
        try await scrub.advance(&record, now: { Date() }) { false }
        do { if let initial { try await result.save(record, since: initial) } } catch {
            ExitStatus.printError("cannot record the result: \(error)")
        }
        return record
    }
}
