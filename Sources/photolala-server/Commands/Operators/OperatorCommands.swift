import ArgumentParser
import Foundation
import Operators
import ServiceWiring
import UseCases

/// Manages the keys of the operator API, and shows its log.
struct OperatorCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operators",
        abstract: "Create, list, rotate and revoke keys of the operator API, or show what operators did.",
        discussion: """
            A server may run on the store at the same time; it applies changes immediately. Two operators with the role support can \
            move a person's identity to another account.
            """,
        subcommands: [
            ListOperators.self, CreateOperator.self, RotateOperator.self, EndOperator.self, ShowOperatorLog.self,
        ])
}

/// Opens the store for a command about operators.
struct OperatorOptions: ParsableArguments {
    @OptionGroup var options: SettingsOptions

    func open(
        for purpose: StorePurpose, _ work: @escaping (OperatorKeys, OperatorLog) async throws -> Void
    ) async throws {
        try await ExitStatus.reporting {
            let settings = try options.read()
            try LiveStore.requireStore(settings)
            try await LiveStore.use(settings, for: purpose, logger: settings.log.makeLogger("photolala.operators")) {
                store in
                _ = try await LiveStore.checkManifest(store, settings)
                do {
                    try await work(
                        OperatorKeys(store: store, retry: LiveStore.retry, now: { Date() }, randomness: .system),
                        OperatorLog(store: store, retry: LiveStore.retry, randomness: .system))
                } catch let error as OperatorError {
                    throw Self.failure(error)
                }
            }
        }
    }

    private static func failure(_ error: OperatorError) -> any Error {
        switch error {
        case .invalidName:
            CommandRefusal("the name must be 1 to 64 characters of a-z, A-Z, 0-9, '.', '_', '@' and '-'")
        case .noSuchKey: CommandRefusal("operator key not found. See photolala-server operators list")
        case .ended(let date): CommandRefusal("the key ended at \(date.ISO8601Format())")
        case .tooManyKeys: CommandRefusal("maximum number of keys reached (\(OperatorKeys.maximumKeys))")
        case .contended: CommandRefusal("the key was changed concurrently. Try again")
        case .store(let error): error
        }
    }
}

/// When a new key ends.
struct KeyLifetime: ParsableArguments {
    @Option(help: ArgumentHelp("The days for which the key is valid, 1 to 3650.", valueName: "number"))
    var days = 365

    var endsAt: Date { Date().addingTimeInterval(TimeInterval(days) * 86_400) }

    func validate() throws {
        guard (1...3650).contains(days) else { throw ValidationError("--days must be 1 to 3650.") }
    }
}

/// Creates a key.
struct CreateOperator: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a key of the operator API, and print it once.",
        discussion: """
            Roles: read looks up accounts and jobs; support also ends sessions, disables accounts and counts usage; admin also \
            deletes and exports accounts, places legal holds, starts jobs and reads the log.
            """)

    @OptionGroup var operators: OperatorOptions
    @OptionGroup var lifetime: KeyLifetime

    @Argument(help: "Who uses the key.")
    var name: String

    @Option(help: "read, support or admin.")
    var role: String

    func validate() throws {
        guard OperatorRole(rawValue: role) != nil else {
            throw ValidationError("--role must be read, support or admin.")
        }
    }

    func run() async throws {
        guard let role = OperatorRole(rawValue: role) else { return }
        try await operators.open(for: .changes) { keys, _ in
            let made = try await keys.create(name: name, role: role, endsAt: lifetime.endsAt)
            print("created key \(made.key.id) of \(name), \(role.rawValue)")
            print("  \(made.secret)")
        }
    }
}

/// Replaces a key.
struct RotateOperator: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Create a replacement for a key. The old key stays valid for --overlap-hours.")

    @OptionGroup var operators: OperatorOptions
    @OptionGroup var lifetime: KeyLifetime

    @Argument(help: "The key's id.")
    var id: String

    @Option(help: ArgumentHelp("The hours for which the old key stays valid, 0 to 720.", valueName: "number"))
    var overlapHours = 24

    func validate() throws {
        guard (0...720).contains(overlapHours) else { throw ValidationError("--overlap-hours must be 0 to 720.") }
    }

    func run() async throws {
        try await operators.open(for: .changes) { keys, _ in
            let made = try await keys.rotate(
                id, overlap: TimeInterval(overlapHours) * 3600, endsAt: lifetime.endsAt)
            print("created key \(made.key.id) of \(made.key.name), \(made.key.role.rawValue)")
            print("  \(made.secret)")
        }
    }
}

/// Ends a key.
struct EndOperator: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "end", abstract: "Revoke a key immediately.")

    @OptionGroup var operators: OperatorOptions

    @Argument(help: "The key's id.")
    var id: String

    func run() async throws {
        try await operators.open(for: .changes) { keys, _ in
            let key = try await keys.end(id, at: Date())
            print("ended key \(key.id) of \(key.name)")
        }
    }
}

/// Lists the keys.
struct ListOperators: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the keys of the operator API, the valid ones first.")

    @OptionGroup var operators: OperatorOptions

    @Flag(help: "Print one JSON object per key.")
    var json = false

    private struct Line: Encodable {
        let key: String
        let name: String
        let role: OperatorRole
        let isValid: Bool
        let createdAt: Date
        let endsAt: Date?
    }

    func run() async throws {
        try await operators.open(for: .reading) { keys, _ in
            let now = Date()
            let all = try await keys.all()
            for key in all.filter({ $0.isValid(at: now) }) + all.filter({ !$0.isValid(at: now) }) {
                let isValid = key.isValid(at: now)
                let end = key.endsAt.map { "\(isValid ? "until" : "ended") \($0.ISO8601Format())" } ?? "no end"
                print(
                    json
                        ? JSONLine.encode(
                            Line(
                                key: key.id, name: key.name, role: key.role, isValid: isValid, createdAt: key.createdAt,
                                endsAt: key.endsAt))
                        : "\(key.id)  \(key.role.rawValue)  \(key.name)  \(end)")
            }
        }
    }
}

/// Shows the operator log.
struct ShowOperatorLog: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Show the calls of the operator API on one day, the oldest first.",
        discussion: "Accounts are shown as keyed hashes; account show prints an account's hash.")

    @OptionGroup var operators: OperatorOptions

    @Option(help: "The day in UTC, yyyy-mm-dd (default today).")
    var day: String?

    @Flag(help: "Print one JSON object per call.")
    var json = false

    func validate() throws {
        if let day, !OperatorLog.isDay(day) { throw ValidationError("--day must have the form yyyy-mm-dd.") }
    }

    func run() async throws {
        try await operators.open(for: .reading) { _, log in
            var after: String?
            repeat {
                let page = try await log.calls(
                    on: day ?? OperatorLog.day(of: Date()), after: after, limit: OperatorLog.maximumPage)
                for call in page.calls {
                    let account = call.account.map { "  account \($0)" } ?? ""
                    print(
                        json
                            ? JSONLine.encode(call)
                            : "\(call.at.ISO8601Format())  \(call.operatorName) (\(call.key))  \(call.action)\(account)"
                                + "  reason: \(call.reason)")
                }
                after = page.next
            } while after != nil
        }
    }
}
