import Observation
import PhotolalaClient

/// The state machine of a screen of the signed-in account: loading, confirmation, verification of the person, actions one
/// at a time, and the end of the session.
///
/// All its calls are for the account that was signed in when it was loaded first. If another one is signed in in the
/// meantime, for example in another window, the screen ends as if the session had ended; loading it then shows that one.
///
/// An action that requires recent authentication asks for it and then runs again. While an action is running, all other
/// calls except ``cancel()`` have no effect, so that a second tap never repeats a call.
@MainActor @Observable
public final class ScreenFlow<Action: Sendable & Equatable> {
    /// The current state.
    public private(set) var state = ScreenState<Action>.notLoaded
    /// Why the last action failed; `nil` after the next one begins.
    public private(set) var failure: ScreenFailure?

    /// Whether ``cancel()`` has an effect. It has none while an action runs whose result is shown once.
    public private(set) var canCancel = true

    /// The context for the account of the screen.
    @ObservationIgnored private(set) var context: ScreenContext
    @ObservationIgnored private let base: ScreenContext
    @ObservationIgnored private let task = SingleTask()
    @ObservationIgnored private var fetch: @MainActor () async throws -> Void = {}
    @ObservationIgnored private var perform: @MainActor (Action) async throws -> ScreenOutcome = { _ in .ready }
    @ObservationIgnored private var isFinal: @MainActor (Action) -> Bool = { _ in false }
    @ObservationIgnored private var forget: @MainActor () -> Void = {}

    init(_ context: ScreenContext) { (self.context, base) = (context, context) }

    /// Connects the flow with its model.
    /// - Parameters:
    ///   - isFinal: Returns whether an action must not be cancelled once it runs.
    ///   - forget: Removes secrets of the account from the model, after the session has ended.
    func connect(
        fetch: @escaping @MainActor () async throws -> Void,
        perform: @escaping @MainActor (Action) async throws -> ScreenOutcome,
        isFinal: @escaping @MainActor (Action) -> Bool = { _ in false }, forget: @escaping @MainActor () -> Void = {}
    ) {
        (self.fetch, self.perform, self.isFinal, self.forget) = (fetch, perform, isFinal, forget)
    }

    /// Loads the content, also after a failure or a new sign-in.
    public func load() {
        switch state {
        case .notLoaded, .unavailable, .ready, .signedOut: break
        case .loading, .confirming, .working, .verifying, .finished: return
        }
        let former = state
        task.start {
            (state, failure) = (.loading, nil)
        } then: { [self] in
            await refresh(orReturnTo: former)
        }
    }

    /// Asks the person to confirm an action.
    public func confirm(_ action: Action) {
        guard state == .ready else { return }
        (state, failure) = (.confirming(action), nil)
    }

    /// Declines a confirmation or a verification.
    public func dismiss() {
        switch state {
        case .confirming, .verifying: (state, failure) = (.ready, nil)
        default: break
        }
    }

    /// Runs an action, which the person has confirmed if it needs confirmation.
    public func start(_ action: Action) {
        switch state {
        case .ready, .confirming(action), .finished: run(action)
        default: break
        }
    }

    /// Verifies the person with a provider of the account, then runs the action that required it.
    public func verify(with provider: ProviderName) {
        guard case .verifying(let action, let providers) = state, providers.contains(provider) else { return }
        run(action, verifying: provider, among: providers)
    }

    /// Requests the end of the running action. The state changes when it has ended, and shows a success that came first.
    public func cancel() {
        if canCancel { task.cancel() }
    }

    /// Returns when no action is running.
    func wait() async { await task.wait() }

    /// Shows a failure that needed no call.
    func fail(_ failure: ScreenFailure) {
        guard state == .ready else { return }
        self.failure = failure
    }

    /// - Parameter former: The state after a cancellation.
    private func refresh(orReturnTo former: ScreenState<Action>) async {
        do {
            if former != .ready {
                guard let user = try await base.account.signedInUserID() else { throw ScreenFailure.notSignedIn }
                context = base.limited(to: user)
            }
            try await fetch()
            state = .ready
        } catch {
            let failure = ScreenFailure(error)
            if failure.endsSession {
                endSession()
            } else if let shown = failure.shown {
                state = .unavailable(shown)
            } else {
                state = former
            }
        }
    }

    private func run(_ action: Action, verifying provider: ProviderName? = nil, among providers: [ProviderName] = []) {
        let former: ScreenState<Action> = state == .finished ? .finished : .ready
        task.start {
            (state, failure) = (.working(action), nil)
        } then: { [self] in
            if let provider {
                do {
                    try await context.verify(with: provider)
                } catch {
                    end(ScreenFailure(error), in: .verifying(action, with: providers))
                    return
                }
            }
            do {
                switch try await result(of: action) {
                case .ready: state = .ready
                case .finished: state = .finished
                case .signedOut: endSession()
                }
            } catch {
                await handle(ScreenFailure(error), of: action, former)
            }
        }
    }

    private func result(of action: Action) async throws -> ScreenOutcome {
        guard isFinal(action) else { return try await perform(action) }
        try Task.checkCancellation()
        canCancel = false
        defer { canCancel = true }
        return try await perform(action)
    }

    private func endSession() {
        state = .signedOut
        forget()
    }

    private func handle(_ failure: ScreenFailure, of action: Action, _ former: ScreenState<Action>) async {
        if Task.isCancelled {
            end(failure, in: former)
            guard state == .ready else { return }
            // The server may have performed the action, so the content is read again, in a task that is not cancelled.
            state = .loading
            await Task { await refresh(orReturnTo: .ready) }.value
            return
        }
        guard failure.isService(.reauthenticationRequired) else { return end(failure, in: former) }
        do throws(PhotolalaError) {
            let providers = try await context.verificationProviders()
            if providers.isEmpty {
                end(failure, in: former)
            } else {
                state = .verifying(action, with: providers)
            }
        } catch {
            end(ScreenFailure(error), in: former)
        }
    }

    private func end(_ failure: ScreenFailure, in next: ScreenState<Action>) {
        if failure.endsSession {
            endSession()
        } else {
            (state, self.failure) = (next, failure.shown)
        }
    }
}
