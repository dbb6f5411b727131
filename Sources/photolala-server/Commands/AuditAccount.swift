import Accounts
import ArgumentParser
import Foundation
import ObjectStorage
import PhotolalaAPI
import ServiceWiring
import Sessions
import Synchronization
import UseCases

/// Prints an account's audit log and verifies its hash chain and seal.
struct AuditAccount: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Show and verify the audit log of an account, newest entry first.",
        discussion: """
            Changes nothing. A server may run on the store at the same time. Exit status: 1 for a log that is not intact and \
            for an account that does not exist.
            """
    )

    @OptionGroup var options: SettingsOptions

    @Argument(help: "The account id, as shown by `photolala whoami`.")
    var user: String

    @Flag(help: "Print one JSON object per entry, and one for the result.")
    var json = false

    func validate() throws {
        guard UserID(user) != nil else { throw ValidationError("invalid account id: \(user)") }
    }

    func run() async throws {
        let isIntact = Mutex(true)
        try await ExitStatus.reporting {
            guard let user = UserID(user) else { return }
            let settings = try options.read()
            try LiveStore.requireStore(settings)
            try await LiveStore.use(settings, for: .reading, logger: settings.log.makeLogger("photolala.audit")) {
                store in
                let accounts = try await LiveStore.accounts(store, settings)
                let devices = DeviceDirectory(store: store, retry: LiveStore.retry)
                let verdict = try await Self.show(user, accounts, devices, AuditReport(isJSON: json))
                isIntact.withLock { $0 = verdict.isIntact }
            }
        }
        if !isIntact.withLock({ $0 }) { throw ExitCode.failure }
    }

    private static func show(
        _ user: UserID, _ accounts: AccountDirectory, _ devices: DeviceDirectory, _ report: AuditReport
    ) async throws -> AuditReport.Verdict {
        // Devices are read before the account: an event that is flushed between the two reads is then in the account.
        let records = try await devices.devices(of: user)
        guard let account = try await accounts.account(user)?.value else {
            throw CommandRefusal("account not found: \(user)")
        }
        var pending = Self.newestFirst(records.map { account.audit.unflushedEvents(DeviceAuditEvents($0.id, $0)) })[...]
        var verdict = AuditReport.Verdict(
            account: user, entries: account.audit.sequence, isProven: accounts.hasAuthenticAuditHead(account)
        )
        try await accounts.walkHistory(of: account) { (step) throws(AccountError) in
            if step.needsAttention { verdict.troubles += 1 }
            while let event = pending.first, let entry = step.entry, event.at >= entry.at {
                print(report.line(AuditLine(event)))
                pending.removeFirst()
            }
            print(report.line(AuditLine(step)))
        }
        for event in pending { print(report.line(AuditLine(event))) }
        print(report.line(verdict))
        return verdict
    }

    /// Returns the events of all devices, newest first. Each device's own are in their order.
    static func newestFirst(_ devices: [[DeviceAuditEvent]]) -> [DeviceAuditEvent] {
        devices.flatMap { $0.reversed() }.enumerated().sorted {
            ($1.element.at, $0.offset) < ($0.element.at, $1.offset)
        }
        .map(\.element)
    }
}
