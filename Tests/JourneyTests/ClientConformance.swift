/// What all clients do at a real server: the SDK in `SDKConformance`, the others in `Tests/Support/Clients/Conformance.kt`,
/// `conformance.py` and `conformance.mjs`, which print each step that is done.
enum ClientConformance: String, CaseIterable {
    /// Creates an account. The session is bound to a key.
    case signUp = "sign-up"
    /// Keeps the session over a restart.
    case restart
    /// Renews an expired access token with the key. A copy of the tokens with another key is rejected.
    case boundRenewal = "bound-renewal"
    /// Two processes or tabs need new tokens at the same time, and both go on.
    case concurrentRenewal = "concurrent-renewal"
    /// Uploads a photo and its thumbnail and adds it to the library.
    case upload
    case list
    case thumbnail
    /// Downloads the uploaded bytes.
    case original
    /// Reports with a typed error that another device has ended the session, and removes it.
    case endedSession = "ended-session"
    /// Signs in again and out. Nothing remains in the store.
    case signOut = "sign-out"

    /// Returns the steps that a program has printed.
    static func steps(in output: String) -> [ClientConformance?] {
        output.split(separator: "\n").filter { $0.hasPrefix("STEP ") }.map { .init(rawValue: String($0.dropFirst(5))) }
    }
}
