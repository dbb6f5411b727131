/// The purpose of a key derived from the master key. A value made for one purpose is invalid for every other.
package enum SecretPurpose: String, Sendable, CaseIterable {
    case challenge
    case pendingIdentity = "pending-identity"
    case deletionReceipt = "deletion-receipt"
    case deletionUndo = "deletion-undo"
    case erasureKey = "erasure-key"
    case moveTicket = "move-ticket"
    case trial
    case refreshToken = "refresh-token"
    case providerAuthorizationRequest = "provider-round"
    case providerAuthorizationResponse = "provider-answer"
    case formToken = "form-token"
    case authorizationCode = "authorization-code"
    case deviceCode = "device-code"
    case userCode = "user-code"
    case accessTokenKeys = "access-token-keys"
    case storageSession = "storage-session"
    case dpopNonce = "proof-nonce"
    case providerSubject = "provider-subject"
    case emailAddress = "email-address"
    case emailHint = "email-hint"
    case givenName = "given-name"
    case clientSecrets = "client-secrets"
    case providerTokens = "provider-tokens"
    case auditChain = "audit-chain"
    case callCounts = "call-counts"
    case operatorConsole = "operator-console"
    case accountHash = "account-hash"
    case identityMove = "identity-move"
    case keyCheck = "key-check"
    case sharedLinkPass = "shared-link-pass"
    case snapshot
    case developmentProviderKeys = "development-provider-keys"

    /// Whether its values leave the server as tokens or codes. They are valid only in the environment that made them,
    /// even if another one has the same master key.
    var isCredential: Bool {
        switch self {
        case .challenge, .pendingIdentity, .deletionReceipt, .deletionUndo, .moveTicket, .refreshToken, .storageSession,
            .dpopNonce,
            .providerAuthorizationRequest,
            .providerAuthorizationResponse, .formToken, .authorizationCode, .deviceCode, .userCode, .operatorConsole,
            .sharedLinkPass:
            true
        case .accessTokenKeys, .providerSubject, .emailAddress, .emailHint, .givenName, .clientSecrets, .providerTokens,
            .auditChain, .callCounts, .accountHash, .identityMove, .keyCheck, .snapshot, .trial, .erasureKey,
            .developmentProviderKeys:
            false
        }
    }
}
