import AccountMaintenance
import ArgumentParser
import Foundation
import IdentityProviders
import PhotolalaAPI
import ServiceWiring
import Transport

/// Preserves users' Apple identities when the app moves to another developer team.
struct TransferApple: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transfer-apple",
        abstract: "Preserve Apple identities when the app moves to another developer team.",
        discussion: """
            Without an option it prints the state of the transfer. Run --prepare TEAM before the transfer, or up to 60 \
            days after it, with the old team's key in the settings. Run --complete after the transfer with the new \
            team's key: both ids are then linked, and users who sign in move automatically. --confirm removes the \
            old ids. Run an interrupted step again to resume it. Servers may run.
            """
    )

    @OptionGroup var options: SettingsOptions

    @Option(help: "Fetch the users' transfer ids for this team (10 characters) from Apple.")
    var prepare: String?

    @Flag(help: "Fetch the users' new ids from Apple and link them beside the old ones.")
    var complete = false

    @Flag(help: "Remove the old ids of users who have a new one.")
    var confirm = false

    @Flag(help: "Print the state without changes or requests to Apple.")
    var dryRun = false

    @Option(help: "The id of the app that moves; default: the first of apple.audiences.")
    var client: String?

    @Flag(help: "Print one JSON object per finding, and one for the summary.")
    var json = false

    func validate() throws {
        guard [prepare != nil, complete, confirm].count(where: { $0 }) <= 1 else {
            throw ValidationError("--prepare, --complete and --confirm are mutually exclusive")
        }
        if let prepare, !AppleClientKey.isIdentifier(prepare) {
            throw ValidationError("invalid team id: \"\(prepare)\" (must be 10 characters of A-Z and 0-9)")
        }
    }

    func run() async throws {
        var isComplete = true
        try await ExitStatus.reporting {
            let settings = try options.read()
            try LiveStore.requireStore(settings)
            let logger = settings.log.makeLogger("photolala.transfer-apple")
            let report = TeamTransferReport(isJSON: json)
            let transport = AsyncHTTPTransport()
            let outcome: Result<Void, any Error>
            let findings = TeamTransferFindings(report)
            do {
                let service = try dryRun || confirm ? nil : makeService(settings, transport)
                try await LiveStore.use(settings, for: purpose, logger: logger) { store in
                    let transfer = TeamTransfer(
                        try await LiveStore.accounts(store, settings), provider: .apple, service: service
                    ) { findings.add($0) }
                    print(report.line(try await transfer.run(step)))
                }
                outcome = .success(())
            } catch {
                outcome = .failure(error)
            }
            try? await transport.shutdown()
            try outcome.get()
            isComplete = findings.count == 0
        }
        if !isComplete { throw ExitCode.failure }
    }

    var purpose: StorePurpose {
        if case .count = step { .reading } else { .changes }
    }

    private var step: TeamTransfer.Step {
        if dryRun { return .count }
        if let prepare { return .prepare(team: prepare) }
        if complete { return .complete }
        return confirm ? .confirm : .count
    }

    /// - Returns: The client for Apple's migration endpoint, or `nil` if this step sends no requests to Apple.
    private func makeService(_ settings: Settings, _ transport: any HTTPTransport) throws -> AppleTeamTransfer? {
        guard prepare != nil || complete else { return nil }
        guard let apple = settings.providers.first(where: { $0.name == .apple }),
            let url = apple.userMigrationURL, let clientID = client ?? apple.audiences.first,
            let tokens = OAuthTokenService(settings: apple, transport: transport, now: { Date() })
        else {
            throw StartProblem(
                "--prepare and --complete require apple.audiences, apple.teamID, apple.keyID and apple.privateKey")
        }
        return AppleTeamTransfer(service: tokens, url: url, clientID: clientID, now: { Date() })
    }
}
