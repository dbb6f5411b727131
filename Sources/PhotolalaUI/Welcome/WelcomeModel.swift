import Observation
import PhotolalaClient

/// The welcome screen: Sign In and Create Account with each provider, help after the wrong provider, and linking of the
/// identity that was tried first.
///
/// Signing in never creates an account. While a provider or the server is asked, all calls except ``cancel()`` have no
/// effect.
@MainActor @Observable
public final class WelcomeModel {
    /// The current state.
    public private(set) var state = WelcomeState.notLoaded
    /// Why the last action failed; `nil` after the next one begins.
    public private(set) var failure: ScreenFailure?

    @ObservationIgnored private let context: ScreenContext
    @ObservationIgnored private let task = SingleTask()
    @ObservationIgnored private var tried = TriedIdentities()

    /// Creates the model. The screen calls ``load()``.
    public init(_ context: ScreenContext) { self.context = context }

    /// The providers to choose from: the platform's own first.
    public var providers: [ProviderName] { context.providers }

    /// Reads whether an account is signed in on this device, or an identity waits since an earlier launch. Call it again
    /// after the session has ended.
    public func load() {
        switch state {
        case .notLoaded, .unavailable, .welcome, .signedIn: break
        default: return
        }
        task.start {
            (state, failure) = (.loading, nil)
        } then: { [self] in
            await read()
        }
    }

    private func read() async {
        do throws(PhotolalaError) {
            if let user = try await context.account.signedInUserID() {
                state = .signedIn(WelcomeResult(user: user, isNew: false, keptProviders: []))
            } else if let pending = try await context.account.pendingIdentity(), let provider = pending.provider {
                tried.add(provider, pending, hints: [])
                showHelp()
            } else {
                state = .welcome
            }
        } catch {
            state = .unavailable(ScreenFailure(error))
        }
    }

    /// Whether ``startOver()`` can solve why the device's state could not be read.
    public var canStartOver: Bool {
        guard case .unavailable(let failure) = state else { return false }
        return failure.isService(.anotherServer) || failure.isService(.localStateUnusable)
    }

    /// Removes the session of another server, or a stored session that cannot be read, and shows the welcome screen. Photos
    /// and accounts are not changed.
    public func startOver() {
        guard canStartOver else { return }
        task.start {
            (state, failure) = (.loading, nil)
        } then: { [self] in
            do throws(PhotolalaError) { _ = try await context.account.forgetUnusable() } catch {
                state = .unavailable(ScreenFailure(error))
                return
            }
            await read()
        }
    }

    /// Shows the providers.
    public func choose(_ purpose: WelcomePurpose) {
        switch state {
        case .welcome, .choosing, .noAccount, .accountExists: (state, failure) = (.choosing(purpose), nil)
        default: break
        }
    }

    /// Returns to the previous choice. The identities that were tried are kept.
    public func back() {
        switch state {
        case .choosing: (state, failure) = (.welcome, nil)
        case .noAccount: (state, failure) = (.choosing(.signIn), nil)
        case .accountExists: (state, failure) = (.choosing(.createAccount), nil)
        default: break
        }
    }

    /// Signs in with a provider.
    public func signIn(with provider: ProviderName) {
        switch state {
        case .choosing(.signIn), .noAccount, .accountExists: break
        default: return
        }
        authenticate(with: provider, .signIn) { [self] in
            let credential = try await context.credential(of: provider, for: .signin)
            tried.record(credential.fullName, of: provider)
            let report = try await context.account.signInReport(credential)
            signedIn(report.user, isNew: false, keptProviders: report.keptProviders.map(\.provider))
        }
    }

    /// Creates an account with a provider. After a sign-in that found no account, its identity is used without asking the
    /// provider again.
    public func createAccount(with provider: ProviderName) {
        var pending: PendingIdentity?
        switch state {
        case .choosing(.createAccount): break
        case .noAccount: pending = tried.identity(of: provider, at: context.now())
        default: return
        }
        authenticate(with: provider, .createAccount) { [self] in
            if let pending {
                try await createAccount(with: pending, of: provider)
            } else {
                let credential = try await context.credential(of: provider, for: .signup)
                tried.record(credential.fullName, of: provider)
                let user = try await context.account.signUp(
                    .credential(credential), fullName: tried.fullName(of: provider))
                signedIn(user, isNew: true, keptProviders: [])
            }
        }
    }

    /// Links the identity that was tried before the sign-in.
    public func link() {
        guard case .linkOffer(let provider, var result) = state,
            let pending = tried.identity(of: provider, at: context.now())
        else { return skipLink() }
        task.start {
            (state, failure) = (.linking(provider, result), nil)
        } then: { [self] in
            do throws(PhotolalaError) {
                _ = try await context.account.account(of: result.user).link(.pending(pending))
                tried.remove(pending)
                result.linkedProviders.append(provider)
                offerLink(after: result)
            } catch {
                let failure = ScreenFailure(error)
                if failure.endsSession {
                    state = .welcome
                } else if [.invalidPendingIdentity, .providerAlreadyLinked].contains(error.code) {
                    tried.remove(pending)
                    offerLink(after: result)
                } else {
                    state = .linkOffer(provider, result)
                }
                self.failure = failure.shown
            }
        }
    }

    /// Does not link the identity that was tried before.
    public func skipLink() {
        guard case .linkOffer(let provider, let result) = state else { return }
        failure = nil
        if let pending = tried.identity(of: provider, at: context.now()) { tried.remove(pending) }
        offerLink(after: result)
    }

    /// Requests the end of the running action. The state changes when it has ended, and shows a success that came first.
    public func cancel() { task.cancel() }

    /// Returns when nothing is running.
    func wait() async { await task.wait() }

    private func authenticate(
        with provider: ProviderName, _ purpose: WelcomePurpose, _ body: @escaping @MainActor () async throws -> Void
    ) {
        let former = state
        task.start {
            (state, failure) = (.authenticating(provider, purpose), nil)
        } then: { [self] in
            do {
                try await body()
            } catch {
                failed(ScreenFailure(error), with: provider, in: former)
            }
        }
    }

    private func createAccount(with pending: PendingIdentity, of provider: ProviderName) async throws {
        do throws(PhotolalaError) {
            let user = try await context.account.signUp(.pending(pending), fullName: tried.fullName(of: provider))
            tried.remove(pending)
            signedIn(user, isNew: true, keptProviders: [])
        } catch {
            if [.invalidPendingIdentity, .accountAlreadyExists].contains(error.code) { tried.remove(pending) }
            throw error
        }
    }

    private func failed(_ failure: ScreenFailure, with provider: ProviderName, in former: WelcomeState) {
        if case .service(let error) = failure {
            switch error.code {
            case .noAccountFound:
                tried.add(provider, error.pendingIdentity, hints: error.hints.map(\.provider))
                return showHelp()
            case .accountAlreadyExists:
                state = .accountExists(provider)
                return
            case .invalidPendingIdentity:
                (state, self.failure) = (.choosing(.createAccount), failure)
                return
            default: break
            }
        }
        (state, self.failure) = (former, failure.shown)
    }

    private func showHelp() { state = tried.help(offered: context.providers).map { .noAccount($0) } ?? .welcome }

    private func signedIn(_ user: User, isNew: Bool, keptProviders: [ProviderName]) {
        offerLink(after: WelcomeResult(user: user.serviceUserID, isNew: isNew, keptProviders: keptProviders))
    }

    /// Offers the identity that was tried last and is not linked; without one, the sign-in is complete.
    private func offerLink(after result: WelcomeResult) {
        if let provider = tried.last(at: context.now())?.provider {
            state = .linkOffer(provider, result)
        } else {
            tried = TriedIdentities()
            state = .signedIn(result)
        }
    }
}
