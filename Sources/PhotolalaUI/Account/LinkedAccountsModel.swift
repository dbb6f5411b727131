import Observation
import PhotolalaClient

/// What a person does on the screen of linked accounts.
public enum LinkedAccountsAction: Sendable, Equatable {
    /// Signs in with another provider and links it.
    case link(ProviderName)
    /// Links the identity that was tried before the sign-in.
    case linkPending
    /// Unlinks an identity. Confirm it first.
    case unlink(LinkID)
    /// Cancels an unlinking that has not taken effect yet.
    case undoUnlink(LinkID)
}

/// The identities that open the account: shows, links and unlinks them.
@MainActor @Observable
public final class LinkedAccountsModel {
    /// The state machine of the screen.
    public let flow: ScreenFlow<LinkedAccountsAction>
    /// The linked identities, in the order in which they were linked.
    public private(set) var links: [LinkedProvider] = []
    /// The identity that was tried before the sign-in and can be linked without another sign-in.
    public private(set) var pending: PendingIdentity?

    /// Creates the model. The screen calls `flow.load()`.
    public init(_ context: ScreenContext) {
        flow = ScreenFlow(context)
        flow.connect(
            fetch: { [weak self] in try await self?.fetch() },
            perform: { [weak self] in try await self?.perform($0) ?? .ready })
    }

    /// The providers of which an identity can be linked: those without one first, otherwise the platform's own first.
    public var linkableProviders: [ProviderName] {
        let linked = Set(links.map(\.provider))
        return flow.context.providers.filter { !linked.contains($0) } + flow.context.providers.filter(linked.contains)
    }

    /// Returns whether an identity may be unlinked: never the last one that opens the account.
    public func canUnlink(_ link: LinkedProvider) -> Bool {
        switch link.state {
        case .active: links.count { $0.state == .active } > 1
        case .revoked: true
        case .pending, .removing: false
        }
    }

    /// Does not link the pending identity now.
    public func declinePending() {
        guard flow.state == .ready else { return }
        pending = nil
    }

    private func fetch() async throws {
        links = try await flow.context.account.linkedAccounts()
        pending = try await flow.context.account.pendingIdentity()
    }

    private func perform(_ action: LinkedAccountsAction) async throws -> ScreenOutcome {
        switch action {
        case .link(let provider):
            let credential = try await flow.context.credential(of: provider, for: .link)
            links = try await flow.context.account.link(.credential(credential))
        case .linkPending:
            guard let pending else { return .ready }
            do throws(PhotolalaError) {
                links = try await flow.context.account.link(.pending(pending))
                self.pending = nil
            } catch {
                if error.code == .invalidPendingIdentity { self.pending = nil }
                throw error
            }
        case .unlink(let link): links = try await flow.context.account.unlink(link)
        case .undoUnlink(let link): links = try await flow.context.account.undoUnlink(link)
        }
        return .ready
    }
}
