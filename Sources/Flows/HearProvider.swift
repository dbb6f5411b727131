import Accounts
import PhotolalaAPI

extension Services {
    /// Handles the body of a provider webhook. Duplicate and late deliveries change nothing.
    ///
    /// Unknown identity: one read. An event that changes something: three reads and two writes.
    /// - Throws: `notFound` for a provider without webhooks, `invalidEvent`.
    package func hear(
        _ body: [UInt8], from provider: ProviderName, to callback: ProviderCallback = .events
    ) async throws(FlowError) {
        for event in try await events(in: body, from: provider, to: callback) { try await take(event, of: provider) }
    }

    /// Verifies a webhook body and returns its events.
    func events(
        in body: [UInt8], from provider: ProviderName, to callback: ProviderCallback
    ) async throws(FlowError) -> [ProviderEvent] {
        guard let verifier = eventVerifiers[provider], verifier.callbacks.contains(callback) else { throw .notFound }
        let events: [ProviderEvent]
        do {
            events = try await verifier.events(in: body, to: callback)
        } catch .providerUnavailable {
            throw .unavailable("the provider's keys cannot be fetched")
        } catch {
            throw .invalidEvent(error)
        }
        logger.info("a provider's event", metadata: ["provider": "\(provider)", "facts": "\(events.count)"])
        return events
    }

    /// Handles one verified event.
    package func take(_ event: ProviderEvent, of provider: ProviderName) async throws(FlowError) {
        try await step {
            guard let found = try await accounts.lookUp(provider, event.subject) else { return }
            try await note(event, of: found)
        }
    }

    /// Records an event in the account and deletes the provider tokens that it makes invalid.
    func note(_ event: ProviderEvent, of found: FoundAccount) async throws {
        let noted = try await accounts.note(event, of: found)
        guard let link = noted?.link, link.state == .revoked, link.history?.revocation?.reason != .accountDisabled,
            tokenServices[link.provider] != nil
        else { return }
        let user = found.account.value.serviceUserID
        guard let stored = try await providerTokens.tokens(of: link.id, user) else { return }
        try await providerTokens.remove(stored, user)
    }
}
