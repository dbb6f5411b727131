/// What a key derived from the master key is for. A value made for one purpose is worthless for every other.
package enum SecretPurpose: String, Sendable, CaseIterable {
    case challenge
    case pendingIdentity = "pending-identity"
    case refreshToken = "refresh-token"
    case accessTokenKeys = "access-token-keys"
    case storageSession = "storage-session"
    case providerSubject = "provider-subject"
    case emailAddress = "email-address"
    case emailHint = "email-hint"
    case clientSecrets = "client-secrets"
    case keyCheck = "key-check"
}
