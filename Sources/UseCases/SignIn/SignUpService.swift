import Accounts
import JWS
import Monitoring
import PhotolalaAPI
import Sessions

/// Creates accounts.
package struct SignUpService: Sendable {
    let identities: IdentityVerification
    let dpopProofs: DPoPProofs
    let accounts: AccountDirectory
    let sessions: SessionIssuer
    let sessionOpener: SessionOpener
    let subscriptions: SubscriptionComponents
    let policy: ServicePolicy
    let metrics: ServiceMetrics

    /// Creates an account: verifies the ID token, creates the account and its identity binding, and opens a session on
    /// the device. Never signs in to an existing account.
    ///
    /// Two reads (identity binding, account) and five writes (spent challenge, account, identity binding, device, first
    /// audit entry); an e-mail hint adds one write, and so does an authorization code. The account has the name from
    /// its first write.
    /// - Parameters:
    ///   - presented: the DPoP proof of the key to bind the session to.
    ///   - language: the BCP 47 tag of the language of the account's e-mails.
    package func signUp(
        _ request: SignUpRequest, _ presented: PresentedDPoPProof? = nil, language: String? = nil
    ) async throws(ServiceError) -> SignedIn {
        try await metrics.countingSignIn(request.provider) { () async throws(ServiceError) in
            let (verified, keyThumbprint) = try await verifySignUp(request, presented, .signup)
            return try await signUp(
                verified: verified, name: request.fullName, language: language, on: request.device,
                key: keyThumbprint?.key)
        }
    }

    /// Signs up with a verified identity; shared by the API and the browser pages.
    func signUp(
        verified: VerifiedSignIn, name: String?, language: String?, on device: DeviceDescription, key: KeyThumbprint?
    ) async throws(ServiceError) -> SignedIn {
        switch try await createAccount(for: verified.identity, name: name, language: language, on: device) {
        case .created(let found): return try await finishSignUp(found, verified, on: device, key: key)
        case .exists(let found): throw found.account.value.disabled == nil ? .accountAlreadyExists : .accountDisabled
        }
    }

    /// Signs in or creates an account, if the deployment allows it.
    /// - Parameters:
    ///   - presented: the DPoP proof of the key to bind the session to.
    ///   - language: the BCP 47 tag of the language of a new account's e-mails.
    package func continueSignIn(
        _ request: SignUpRequest, _ presented: PresentedDPoPProof? = nil, language: String? = nil
    ) async throws(ServiceError) -> SignedIn {
        try await metrics.countingSignIn(request.provider) { () async throws(ServiceError) in
            try await signInOrSignUp(request, presented, language)
        }
    }

    private func signInOrSignUp(
        _ request: SignUpRequest, _ presented: PresentedDPoPProof?, _ language: String?
    ) async throws(ServiceError) -> SignedIn {
        guard policy.allowsContinue else { throw .continueNotAllowed }
        let (verified, keyThumbprint) = try await verifySignUp(request, presented, .continue)
        switch try await createAccount(
            for: verified.identity, name: request.fullName, language: language, on: request.device)
        {
        case .created(let found):
            let signedIn = try await finishSignUp(found, verified, on: request.device, key: keyThumbprint?.key)
            return SignedIn(user: signedIn.user, session: signedIn.session, isNewUser: true)
        case .exists(let found):
            let signedIn = try await sessionOpener.startSession(
                found, by: verified, on: request.device, key: keyThumbprint?.key, isNewAccount: false
            )
            return SignedIn(
                user: signedIn.user, session: signedIn.session, isNewUser: false,
                undoneUnlinks: signedIn.undoneUnlinks)
        }
    }

    /// Verifies the identity and the device key of a request.
    private func verifySignUp(
        _ request: SignUpRequest, _ presented: PresentedDPoPProof?, _ purpose: ChallengePurpose
    ) async throws(ServiceError) -> (VerifiedSignIn, DPoPProof?) {
        try request.device.validate()
        guard (request.fullName ?? "").isPlainText(0...200) else {
            throw .invalidRequest("fullName must be at most 200 characters without control characters.")
        }
        let keyThumbprint = try dpopProofs.verifyDeviceKey(presented)
        let verified = try await identities.verifySignIn(
            try identities.idTokenRequest(request.provider, request.idToken, request.challenge),
            code: request.authorizationCode,
            pending: request.pendingIdentity, purpose, device: request.device.id
        )
        try await dpopProofs.consume(keyThumbprint, isOnce: false)
        return (verified, keyThumbprint)
    }

    private func createAccount(
        for identity: VerifiedIdentity, name: String?, language: String?, on device: DeviceDescription
    ) async throws(ServiceError) -> AccountCreationOutcome {
        let name = name.flatMap { $0.isEmpty ? nil : $0 }
        return try await mapServiceErrors {
            try sessions.checkCanSign()
            return try await accounts.create(
                for: identity, name: name, language: language, device: device.id, country: RequestOrigin.country
            ) {
                () async throws(AccountError) in try await trial(of: identity)
            }
        }
    }

    /// Starts the trial of an identity with a new account. If the deployment offers a trial, it costs one more write.
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

    /// The operations after the identity binding are independent and run concurrently.
    private func finishSignUp(
        _ found: FoundAccount, _ verified: VerifiedSignIn, on device: DeviceDescription, key: KeyThumbprint?
    ) async throws(ServiceError) -> SignedIn {
        metrics.increment(ServiceMetric.accountsCreated, ["\(found.link.provider)"])
        async let aftermath: Void = accounts.finishCreation(of: found)
        let result: Result<SignedIn, ServiceError>
        do {
            result = .success(
                try await sessionOpener.startSession(found, by: verified, on: device, key: key, isNewAccount: true)
            )
        } catch {
            result = .failure(error)
        }
        await aftermath
        return try result.get()
    }
}
