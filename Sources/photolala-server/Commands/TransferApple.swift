import AccountMaintenance
import ArgumentParser
import Foundation
import IdentityProviders
import PhotolalaAPI
import Transport

/// Preserves users' Apple identities when the app moves to another developer team.
struct TransferApple: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transfer-apple",
        abstract: "Take people's Apple identities along when the app moves to another developer team.",
        discussion: """
            Without an option it only says where the transfer stands. --prepare TEAM before the transfer, or up to 60 \
            days after it, with the old team's key in the settings; --complete after it, with the new team's; then \
            both the old and the new ids open the accounts, and people who sign in meanwhile move by themselves. \
            --confirm drops the old ids. Whatever was interrupted goes on when it is run again; servers may run.
            """
    )

    @OptionGroup var options: SettingsOptions

    @Option(help: "Ask Apple for everybody's transfer id to this team, 10 characters.")
    var prepare: String?

    @Flag(help: "Ask Apple for everybody's new id, and let it open the account too.")
    var complete = false

    @Flag(help: "Drop the old ids of everybody who has a new one.")
    var confirm = false

    @Flag(help: "Only say what the step would find, ask Apple nothing and change nothing.")
    var dryRun = false

    @Option(help: "The id of the app that moves; the first of apple.audiences otherwise.")
    var client: String?

    @Flag(help: "One JSON object for each finding, and one for the summary at the end.")
    var json = false

    func validate() throws {
        guard [prepare != nil, complete, confirm].count(where: { $0 }) <= 1 else {
            throw ValidationError("--prepare, --complete and --confirm are three steps")
        }
        if let prepare, !AppleClientKey.isIdentifier(prepare) {
            throw ValidationError("a team's id has 10 characters of A-Z and 0-9, not \"\(prepare)\"")
        }
    }

    func run() async throws {
        var isWhole = true
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
            isWhole = findings.count == 0
        }
        if !isWhole { throw ExitCode.failure }
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
            throw StartProblem("Apple is asked with apple.audiences, apple.teamID, apple.keyID and apple.privateKey")
        }
        return AppleTeamTransfer(service: tokens, url: url, clientID: clientID, now: { Date() })
    }
}
