import Accounts
import Logging
import Monitoring
import PhotolalaAPI

/// Handles the events and deletion requests that providers send.
package struct ProviderEventService: Sendable {
    let eventVerifiers: [ProviderName: any ProviderEventVerifier]
    let tokenServices: [ProviderName: any ProviderTokenService]
    let accounts: AccountDirectory
    let providerTokens: ProviderTokens
    let deletionCodes: DeletionCodes
    let logger: Logger

    /// The callbacks of each provider with webhooks.
    package var callbacks: [ProviderName: [ProviderCallback]] { eventVerifiers.mapValues(\.callbacks) }

    /// Handles the body of a provider webhook. Duplicate and late deliveries change nothing.
    ///
    /// Unknown identity: one read. An event that changes something: three reads and two writes.
    /// - Throws: `notFound` for a provider without webhooks, `invalidEvent`.
    package func handleEvents(
        _ body: [UInt8], from provider: ProviderName, to callback: ProviderCallback = .events
    ) async throws(ServiceError) {
        for event in try await verifiedEvents(in: body, from: provider, to: callback) {
            try await apply(event, of: provider)
        }
    }

    /// Verifies a webhook body and returns its events.
    func verifiedEvents(
        in body: [UInt8], from provider: ProviderName, to callback: ProviderCallback
    ) async throws(ServiceError) -> [ProviderEvent] {
        guard let verifier = eventVerifiers[provider], verifier.callbacks.contains(callback) else { throw .notFound }
        let events: [ProviderEvent]
        do {
            events = try await verifier.events(in: body, to: callback)
        } catch .providerUnavailable {
            throw .unavailable("provider keys unavailable")
        } catch {
            throw .invalidEvent(error)
        }
        logger.info(
            .providerEvent, "provider event", metadata: ["provider": "\(provider)", "facts": "\(events.count)"])
        return events
    }

    /// Handles one verified event.
    package func apply(_ event: ProviderEvent, of provider: ProviderName) async throws(ServiceError) {
        try await mapServiceErrors {
            guard let found = try await accounts.lookUp(provider, event.subject) else { return }
            try await record(event, of: found)
        }
    }

    /// Records an event in the account and deletes the provider tokens that it makes invalid.
    func record(_ event: ProviderEvent, of found: FoundAccount) async throws {
        let outcome = try await accounts.apply(event, of: found)
        guard let link = outcome?.link, link.state == .revoked, link.history?.revocation?.reason != .accountDisabled,
            tokenServices[link.provider] != nil
        else { return }
        let user = found.account.value.serviceUserID
        guard let stored = try await providerTokens.tokens(of: link.id, user) else { return }
        try await providerTokens.remove(stored, user)
    }
}
