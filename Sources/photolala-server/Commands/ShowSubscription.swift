import AppStore
import ArgumentParser
import Foundation
import PhotolalaAPI
import ServiceWiring
import Subscriptions
import Transport
import UseCases

/// Prints the record of an App Store subscription, which explains an account's tier.
struct ShowSubscription: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subscription",
        abstract: "Show a subscription's account and the data signed by Apple.",
        discussion: "Searches all of Apple's environments and shows that of each record. A server may run on the "
            + "store at the same time."
    )

    @OptionGroup var options: SettingsOptions

    @Argument(help: "Apple's originalTransactionId, as shown by `photolala whoami`.")
    var id: String

    @Flag(help: "Search only the sandbox.")
    var sandbox = false

    @Flag(help: "Fetch its transactions from Apple first, and apply new ones.")
    var refresh = false

    func validate() throws {
        guard SubscriptionID(.production, id) != nil else {
            throw ValidationError("invalid transaction id: \(id)")
        }
    }

    var purpose: StorePurpose { refresh ? .changes : .reading }

    func run() async throws {
        try await ExitStatus.reporting {
            let settings = try options.read()
            try LiveStore.requireStore(settings)
            let live = Live(settings)
            let transport = AsyncHTTPTransport()
            let outcome: Result<Void, any Error>
            do {
                outcome = .success(try await show(live, transport))
            } catch {
                outcome = .failure(error)
            }
            try? await transport.shutdown()
            try outcome.get()
        }
    }

    private func show(_ live: Live, _ transport: AsyncHTTPTransport) async throws {
        let settings = live.settings
        try await LiveStore.use(settings, for: purpose, logger: live.logger) { store in
            let accounts = try await LiveStore.accounts(store, settings)
            let subscriptions = try live.makeSubscriptions(store, try LiveStore.makeKeyRing(settings), transport)
            let lookup = SubscriptionLookup(
                id: id, environments: sandbox ? [.sandbox] : AppStoreEnvironment.allCases, subscriptions: subscriptions,
                reconciler: SubscriptionReconciler(
                    accounts: accounts, subscriptions: subscriptions, now: { Date() }, logger: live.logger))
            if refresh { try await lookup.refresh() }
            print(try await lookup.report())
        }
    }
}
