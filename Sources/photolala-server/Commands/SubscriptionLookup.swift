import ServiceWiring
import Subscriptions
import UseCases

/// Finds the records for an `originalTransactionId`. An operator does not know the purchase's environment, so all are
/// searched; the same id may exist in two environments.
struct SubscriptionLookup {
    let id: String
    let environments: [AppStoreEnvironment]
    let subscriptions: SubscriptionComponents
    let reconciler: SubscriptionReconciler

    /// Returns a report on each record with its environment. Cost: 1 read per environment.
    /// - Throws: `StartProblem` if there is no record; names the environments that were searched.
    func report() async throws -> String {
        var reports: [String] = []
        for environment in environments {
            guard let id = SubscriptionID(environment, id), let record = try await subscriptions.records.record(id)
            else {
                continue
            }
            reports.append(SubscriptionReport(record, subscriptions.plan).description)
        }
        guard reports.isEmpty else { return reports.joined(separator: "\n\n") }
        throw StartProblem("subscription not found: no record of \(id) in \(Self.names(environments))")
    }

    /// Requests the subscription from Apple in each accepted environment and stores new facts.
    /// - Throws: `StartProblem` without a key for Apple's server, or if Apple has the subscription in none of the
    ///   environments.
    func refresh() async throws {
        guard let server = subscriptions.server else {
            throw StartProblem("appStore.issuerID, appStore.keyID, appStore.privateKey: required for --refresh")
        }
        let requested = environments.filter { $0.isOperatedByApple && subscriptions.environments.contains($0) }
        guard !requested.isEmpty else {
            throw StartProblem(
                "appStore.environments: no App Store server for \(Self.names(subscriptions.environments))")
        }
        var isKnown = false
        for environment in requested {
            guard let id = SubscriptionID(environment, id) else { continue }
            do {
                let status = try await server.status(of: id)
                let history = try await server.history(of: id)
                try await reconciler.apply(
                    SubscriptionFacts(transactions: history + status.transactions, renewals: status.renewals), of: id)
                isKnown = true
            } catch AppStoreServerError.notFound {
                continue
            } catch let error as AppStoreServerError {
                throw StartProblem("request to Apple failed for \(environment.rawValue): \(error)")
            }
        }
        guard isKnown else {
            throw StartProblem("subscription not found: \(id) is unknown to Apple in \(Self.names(requested))")
        }
    }

    private static func names(_ environments: [AppStoreEnvironment]) -> String {
        environments.map(\.rawValue).joined(separator: ", ")
    }
}
