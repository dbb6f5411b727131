import Accounts
import AppStore
import ArgumentParser
import Flows
import Foundation
import PhotolalaAPI
import Subscriptions
import Transport

/// Shows what is known of a subscription of the App Store's, for who asks why an account has the tier that it has.
struct ShowSubscription: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subscription",
        abstract: "Show whose a subscription is, and what Apple signed about it.",
        discussion: "A server may run on the store meanwhile."
    )

    @OptionGroup var options: SettingsOptions

    @Argument(help: "Apple's originalTransactionId, as `photolala whoami` shows it.")
    var id: String

    @Flag(help: "It was bought in the sandbox.")
    var sandbox = false

    @Flag(help: "Ask Apple for all of its transactions first, and take in what is new.")
    var refresh = false

    func validate() throws {
        guard SubscriptionID(.production, id) != nil else {
            throw ValidationError("\(id) is not the id of a transaction")
        }
    }

    func run() async throws {
        try await ExitStatus.reporting {
            guard let id = SubscriptionID(sandbox ? .sandbox : .production, id) else { return }
            let settings = try options.read()
            try LiveStore.requireStore(settings)
            let live = Live(settings)
            let transport = AsyncHTTPTransport()
            let outcome: Result<Void, any Error>
            do {
                outcome = .success(try await show(id, live, transport))
            } catch {
                outcome = .failure(error)
            }
            try? await transport.shutdown()
            try outcome.get()
        }
    }

    private func show(_ id: SubscriptionID, _ live: Live, _ transport: AsyncHTTPTransport) async throws {
        let settings = live.settings
        try await LiveStore.use(settings, logger: live.logger) { store in
            let accounts = try await LiveStore.accounts(store, settings)
            let subscriptions = try live.makeSubscriptions(store, try LiveStore.makeKeyRing(settings), transport)
            if refresh { try await Self.refresh(id, accounts, subscriptions, live) }
            guard let record = try await subscriptions.records.record(id) else {
                throw StartProblem("nothing is known of a subscription \(id.originalTransactionID)")
            }
            print(SubscriptionReport(record, subscriptions.plan))
        }
    }

    private static func refresh(
        _ id: SubscriptionID, _ accounts: AccountDirectory, _ subscriptions: SubscriptionServices, _ live: Live
    ) async throws {
        guard let server = subscriptions.server else {
            throw StartProblem("appStore.issuerID, appStore.keyID, appStore.privateKey: needed to ask Apple")
        }
        do {
            let status = try await server.status(of: id)
            let history = try await server.history(of: id)
            let record = try await subscriptions.records.take(
                SubscriptionFacts(transactions: history + status.transactions, renewals: status.renewals), of: id)
            try await SubscriptionSettlement(
                accounts: accounts, subscriptions: subscriptions, now: { Date() }, logger: live.logger
            ).settle(record)
        } catch let error as AppStoreServerError {
            throw StartProblem("Apple's server gives no answer: \(error)")
        }
    }
}
