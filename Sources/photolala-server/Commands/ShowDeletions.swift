import AccountMaintenance
import Accounts
import ArgumentParser
import Foundation
import PhotolalaAPI
import ServiceWiring
import UseCases

/// Lists the scheduled and unfinished deletions of accounts.
struct ShowDeletions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deletions", abstract: "Show the scheduled and unfinished deletions of accounts.",
        discussion: """
            A server may run on the store at the same time. Exit status: 1 if a deletion is overdue \
            (not complete 8 days after its date). Export the ledger regularly: a snapshot contains only deletions from \
            before it was written.
            """
    )

    @OptionGroup var options: SettingsOptions

    @Flag(help: "Print one JSON object per deletion.")
    var json = false

    @Option(
        name: .customLong("export"),
        help: ArgumentHelp(
            "Write the ledger of deleted accounts to a file, to keep it apart from the store.", valueName: "file"))
    var exportPath: String?

    @Option(
        name: .customLong("import"),
        help: ArgumentHelp(
            "Add the entries of such a file, after a recovery from an older snapshot. Then run repair.",
            valueName: "file"))
    var importPath: String?

    func validate() throws {
        guard exportPath == nil || importPath == nil else {
            throw ValidationError("Use only one of --export and --import.")
        }
    }

    func run() async throws {
        var isLate = false
        try await ExitStatus.reporting {
            let settings = try options.read()
            try LiveStore.requireStore(settings)
            if let exportPath { return try await Self.export(settings, to: exportPath) }
            if let importPath { return try await Self.importLedger(settings, from: importPath) }
            let lines = try await Self.lines(settings)
            isLate = lines.contains { $0.isOverdue }
            for line in lines { print(json ? JSONLine.encode(line) : line.text) }
            if lines.isEmpty, !json { print("no deletions") }
        }
        if isLate { throw ExitCode.failure }
    }

    private static func export(_ settings: Settings, to path: String) async throws {
        let logger = settings.log.makeLogger("photolala.deletions")
        try await LiveStore.use(settings, for: .reading, logger: logger) { store in
            var text = Data()
            let copy = ErasureLedgerCopy(store, try LiveStore.makeKeyRing(settings))
            let count = try await copy.write { text += $0 + Data("\n".utf8) }
            do {
                try text.write(to: URL(fileURLWithPath: path), options: .atomic)
            } catch {
                throw StartProblem("cannot write \(path): \(error.localizedDescription)")
            }
            print("\(Counted.text(count, "deleted account")) written to \(path)")
        }
    }

    private static func importLedger(_ settings: Settings, from path: String) async throws {
        let ledger = try lines(of: path)
        let logger = settings.log.makeLogger("photolala.deletions")
        try await LiveStore.use(settings, for: .changes, logger: logger) { store in
            do {
                let added = try await ErasureLedgerCopy(store, try LiveStore.makeKeyRing(settings)).read(ledger)
                print("\(Counted.text(added.entries, "deleted account")) added.")
                if added.isKeyReplaced { print("The store's erasure key was replaced: restart the servers.") }
                print("Find them with:  photolala-server repair --apply")
            } catch let failure as ErasureLedgerCopy.Failure {
                throw StartProblem("\(path): \(failure)")
            }
        }
    }

    /// The maximum length of an exported ledger, in bytes: some millions of accounts.
    private static let ledgerLimit = 4 << 30

    /// Returns the lines of an exported ledger.
    static func lines(of path: String) throws -> [Data] {
        let text = try InputFile.bytes(of: path, limit: ledgerLimit)
        return text.split(separator: UInt8(ascii: "\n")).map { Data($0) }
    }

    private static func lines(_ settings: Settings) async throws -> [DeletionLine] {
        var lines: [DeletionLine] = []
        let logger = settings.log.makeLogger("photolala.deletions")
        try await LiveStore.use(settings, for: .reading, logger: logger) { store in
            lines = try await DeletionLine.all(in: try await LiveStore.accounts(store, settings), at: Date())
        }
        return lines
    }
}

/// The state of one deletion.
struct DeletionLine: Encodable {
    let account: UserID
    let state: String
    let requestedAt: Date
    /// When the data is erased; `nil` if the account document is gone.
    let erasesAt: Date?
    let isOverdue: Bool
    let failures: Int
    /// Why it does not proceed: a legal hold, or the last failure.
    let reason: String?

    /// Returns the scheduled and unfinished deletions. A read for each, besides the records.
    static func all(in accounts: AccountDirectory, at time: Date) async throws -> [DeletionLine] {
        var lines: [DeletionLine] = []
        for record in try await accounts.deletions.all() {
            let account = try await accounts.account(record.user)?.value
            // A record without a deletion was cancelled.
            guard account?.deletion != nil || record.progress != nil else { continue }
            lines.append(DeletionLine(record, account, at: time))
        }
        return lines
    }

    init(_ record: DeletionRecord, _ document: AccountDocument?, at time: Date) {
        account = record.user
        state = record.progress == nil ? "scheduled" : "erasing"
        requestedAt = document?.deletion?.requestedAt ?? record.requestedAt
        erasesAt = document?.deletion?.erasesAt
        let isHeld = document?.legalHold != nil
        // A release of a legal hold dates the record anew.
        let due = max(erasesAt ?? requestedAt, record.requestedAt)
        isOverdue = !isHeld && time > due.addingTimeInterval(AccountErasure.overdueAfter)
        failures = record.failures
        reason = isHeld ? "legal hold" : record.reason
    }

    var text: String {
        let date = erasesAt.map { "\(state == "scheduled" ? "erases" : "due") \($0.ISO8601Format())" }
        let columns = [account.description, isOverdue ? "OVERDUE" : state, date, reason]
        return columns.compactMap(\.self).joined(separator: "  ")
    }
}
