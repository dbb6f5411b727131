import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// A service that delays unlinks which could lock the owner out by one day.
struct DelayedUnlink: Sendable {
    static let day: TimeInterval = 86_400

    let service: TestService
    /// Signed in with Apple, which created the account, on device 1.
    let phone: Session
    let user: UserID

    /// Creates Bob, with Google and Facebook linked a month ago on his phone.
    init(receiver: RecordingEventReceiver? = nil, devicesPerAccount: Int? = nil) async throws {
        var options = TestService.Options()
        if let devicesPerAccount { options.devicesPerAccount = devicesPerAccount }
        options.unlinkDelay = Self.day
        options.eventReceiver = receiver
        service = try await TestService.make(options)
        let first = try await service.signUp(.apple, "bob").session
        for provider in [ProviderName.google, .facebook] {
            _ = try await service.link(provider, "bob", in: first)
            service.clock.advance(by: 1)
        }
        service.clock.advance(by: 30 * Self.day)
        let bob = try await service.signIn(.apple, "bob")
        (phone, user) = (bob.session, bob.user.serviceUserID)
    }

    func links(_ session: Session) async throws -> [LinkedProvider] {
        try await service.services.account.linkedAccounts(try await service.caller(session)).linkedProviders
    }

    /// Returns a provider's link as shown in a session; `nil` after it was removed.
    func link(_ provider: ProviderName, _ session: Session) async throws -> LinkedProvider? {
        try await links(session).first { $0.provider == provider }
    }

    /// Returns whether an unlink is pending.
    func isPending(_ provider: ProviderName, _ session: Session) async throws -> Bool {
        try await link(provider, session)?.state == .removing
    }

    func refreshed(_ session: Session) async throws -> Session {
        try await service.services.sessions.refresh(RefreshRequest(refreshToken: session.refreshToken)).session
    }

    func auditEvents() async throws -> [AuditAction] { try await service.auditEvents(of: user) }

    /// Links Eve's Google identity in a session, and signs in with it.
    func intrude(in stolen: Session, device: Int = 66) async throws -> Session {
        _ = try await service.link(.google, "eve", in: stolen)
        return try await service.signIn(.google, "eve", device: device).session
    }

    func unlink(_ id: LinkID, in session: Session) async throws -> [LinkedProvider] {
        let caller = try await service.caller(session)
        return try await service.services.linking.unlink(UnlinkRequest(linkID: id), caller: caller).linkedProviders
    }

    /// Returns the link of the identity that was linked last.
    func newest(_ session: Session) async throws -> LinkedProvider { try #require(try await links(session).last) }
}
