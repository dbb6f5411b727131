import Accounts
import JWS
import PhotolalaAPI
import Sessions
import Subscriptions

extension Services {
    /// Creates an account: verify the token, create account and claim, open a session on the device. It never signs in
    /// to an existing one.
    ///
    /// Two reads (claim, account) and five writes (spent challenge, account, claim, device, first audit entry); an e-mail
    /// hint adds one, and so does an authorization code. The name that came stands in the account from its first write.
    /// - Parameter presented: of the key that the session is to be bound to.
    package func signUp(
        _ request: SignUpRequest, _ presented: PresentedProof? = nil
    ) async throws(FlowError) -> SignedIn {
        let (proven, holder) = try await prove(request, presented, .signup)
        return try await signUp(proven, name: request.fullName, on: request.device, key: holder?.key)
    }

    /// What follows on the proof, through whichever door it came.
    func signUp(
        _ proven: ProvenIdentity, name: String?, on device: DeviceDescription, key: KeyThumbprint?
    ) async throws(FlowError) -> SignedIn {
        switch try await create(for: proven.identity, name: name, on: device) {
        case .created(let found): return try await finish(found, proven, on: device, key: key)
        case .exists: throw .accountAlreadyExists
        }
    }

    /// Signs in or creates, where the deployment allows it.
    /// - Parameter presented: of the key that the session is to be bound to.
    package func continueSignIn(
        _ request: SignUpRequest, _ presented: PresentedProof? = nil
    ) async throws(FlowError) -> SignedIn {
        guard rules.allowsContinue else { throw .continueNotAllowed }
        let (proven, holder) = try await prove(request, presented, .continue)
        switch try await create(for: proven.identity, name: request.fullName, on: request.device) {
        case .created(let found):
            let signedIn = try await finish(found, proven, on: request.device, key: holder?.key)
            return SignedIn(user: signedIn.user, session: signedIn.session, isNewUser: true)
        case .exists(let found):
            let signedIn = try await open(
                found, by: proven, on: request.device, key: holder?.key, isNewAccount: false
            )
            return SignedIn(
                user: signedIn.user, session: signedIn.session, isNewUser: false,
                undoneUnlinks: signedIn.undoneUnlinks)
        }
    }

    /// Who is there, and which key they hold.
    private func prove(
        _ request: SignUpRequest, _ presented: PresentedProof?, _ purpose: ChallengePurpose
    ) async throws(FlowError) -> (ProvenIdentity, DeviceProof?) {
        try check(request.device)
        guard isText(request.fullName ?? "", 0...200) else {
            throw .invalidRequest("fullName has at most 200 characters, none of them a control character.")
        }
        let holder = try holder(presented)
        let proven = try await prove(
            try proof(request.provider, request.idToken, request.challenge), code: request.authorizationCode,
            pending: request.pendingIdentity, purpose, device: request.device.id
        )
        try await take(holder, isOnce: false)
        return (proven, holder)
    }

    private func create(
        for identity: VerifiedIdentity, name: String?, on device: DeviceDescription
    ) async throws(FlowError) -> CreatedAccount {
        let name = name.flatMap { $0.isEmpty ? nil : $0 }
        return try await step {
            try sessions.checkCanSign()
            return try await accounts.create(for: identity, name: name, device: device.id) {
                () async throws(AccountError) in try await trial(of: identity)
            }
        }
    }

    /// The trial that an identity gets with its account. Where there is one, signing up costs one write more.
    private func trial(of identity: VerifiedIdentity) async throws(AccountError) -> AccountTrial? {
        guard let offer = subscriptions.trial else { return nil }
        do {
            let trial = try await subscriptions.trials.begin(offer, for: identity.provider, identity.subject)
            return AccountTrial(tier: trial.tier, endsAt: trial.endsAt)
        } catch {
            switch error {
            case .store(let error): throw .store(error)
            case .secrets(let error): throw .secrets(error)
            case .contended: throw .contended
            default: throw .corrupted("trial: \(error)")
            }
        }
    }

    /// What follows the claim is independent of each other and goes side by side.
    private func finish(
        _ found: FoundAccount, _ proven: ProvenIdentity, on device: DeviceDescription, key: KeyThumbprint?
    ) async throws(FlowError) -> SignedIn {
        async let aftermath: Void = accounts.finishCreation(of: found)
        let result: Result<SignedIn, FlowError>
        do {
            result = .success(
                try await open(found, by: proven, on: device, key: key, isNewAccount: true)
            )
        } catch {
            result = .failure(error)
        }
        await aftermath
        return try result.get()
    }
}
