import IdentityProviders
import PhotolalaAPI

/// Reads one provider from `oidc`: any OpenID Connect issuer, configured by settings alone.
struct OpenIDProviderReader {
    private enum Member: String, CaseIterable {
        case issuer, audiences, authorizedParties, algorithms, authoritativeEmailDomains, allowPrivateAddresses
        case displayName, browserClientID, browserClientSecret
    }

    private let name: String
    private var problems: [String] = []
    private var parsedMembers: [Member: SettingsValue] = [:]

    /// - Returns: The provider, or `nil` with the problems.
    static func read(_ name: String, _ value: SettingsValue) -> (IdentityProviderSettings?, problems: [String]) {
        var reader = OpenIDProviderReader(name: name)
        let settings = reader.settings(value)
        return (reader.problems.isEmpty ? settings : nil, reader.problems)
    }

    private init(name: String) { self.name = name }

    private mutating func report(_ problem: String) { problems.append("oidc.\(name)\(problem)") }

    private mutating func settings(_ value: SettingsValue) -> IdentityProviderSettings? {
        guard let provider = ProviderName(name) else {
            report(": provider name must be 1 to 32 characters of a-z, 0-9 and -, and not \"email\"")
            return nil
        }
        guard !ProviderName.builtIn.contains(provider) else {
            report(": built-in provider. Use \(name).audiences and its other settings")
            return nil
        }
        guard case .object(let members) = value else {
            report(": must be an object with issuer and audiences")
            return nil
        }
        for (member, value) in members.sorted(by: { $0.key < $1.key }) {
            if let known = Member(rawValue: member) {
                parsedMembers[known] = value
            } else {
                report(
                    ": unknown member \"\(member)\"\(NearestName.hint(member, among: Member.allCases.map(\.rawValue)))")
            }
        }
        let (issuer, audiences) = (issuer(), list(.audiences))
        if audiences.isEmpty { report(".audiences: required: the client ids of your apps at this issuer") }
        var settings = IdentityProviderSettings(
            name: provider, issuers: [issuer], keySet: .discovered(issuer: issuer), audiences: audiences
        )
        settings.allowsTokensWithoutKeyID = true
        settings.authorizedParties = list(.authorizedParties)
        settings.emailTrust = .domains(list(.authoritativeEmailDomains).map { $0.lowercased() })
        settings.allowsPrivateAddresses = flag(.allowPrivateAddresses)
        if parsedMembers[.algorithms] != nil { settings.algorithms = algorithms() }
        settings.displayName = text(.displayName)
        settings.browserClient = browserClient(audiences)
        return settings
    }

    /// Returns the client for sign-in in a browser, or `nil` if none is configured.
    private mutating func browserClient(_ audiences: [String]) -> BrowserClient? {
        let secret = text(.browserClientSecret)
        guard let id = text(.browserClientID) else {
            if secret != nil { report(".browserClientID: required with browserClientSecret") }
            return nil
        }
        if !audiences.contains(id) { report(".browserClientID: \(id) must be one of audiences") }
        // A public client has no secret; PKCE binds its codes.
        return BrowserClient(clientID: id, authentication: secret.map { .secrets([id: $0]) } ?? .none)
    }

    private mutating func text(_ member: Member) -> String? {
        switch parsedMembers[member] {
        case nil: return nil
        case .text(let text) where !text.isEmpty: return text
        default:
            report(".\(member.rawValue): must be a string")
            return nil
        }
    }

    /// Returns the issuer exactly as it identifies itself, including a trailing slash (OpenID Connect Discovery 1.0
    /// section 3).
    private mutating func issuer() -> String {
        guard case .text(let issuer)? = parsedMembers[.issuer] else {
            report(".issuer: must be the issuer's https URL, exactly as in its tokens")
            return ""
        }
        if issuer.contains("?") || issuer.contains("#") { report(".issuer: must have no query or fragment") }
        return issuer
    }

    private mutating func algorithms() -> [JWSAlgorithm] {
        let names = list(.algorithms)
        let known = names.compactMap(JWSAlgorithm.init)
        if known.count != names.count || known.isEmpty {
            report(".algorithms: must be some of \(JWSAlgorithm.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return known
    }

    private mutating func list(_ member: Member) -> [String] {
        guard let value = parsedMembers[member] else { return [] }
        if case .array(let items) = value {
            let texts = items.compactMap { if case .text(let text) = $0, !text.isEmpty { text } else { nil } }
            if texts.count == items.count { return texts }
        }
        report(".\(member.rawValue): must be an array of strings")
        return []
    }

    private mutating func flag(_ member: Member) -> Bool {
        switch parsedMembers[member] {
        case nil: return false
        case .flag(let flag): return flag
        default:
            report(".\(member.rawValue): must be true or false")
            return false
        }
    }
}
