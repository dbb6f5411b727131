import Foundation
import Logging
import Secrets
import Transport
import UseCases

extension SettingsReader {
    /// Returns an http or https URL without trailing slashes.
    mutating func baseURL(_ name: SettingName) -> String? {
        guard let text = text(name) else { return nil }
        guard let url = URL(string: text), url.scheme == "http" || url.scheme == "https", url.host != nil else {
            report("\(name.rawValue): must be an http or https URL, not \"\(text)\"")
            return nil
        }
        // Clients compare the URL with the one that they call: the host is normalized to lower case (RFC 3986 section
        // 6.2.2.1).
        let remainder = text.drop { $0 != ":" }.dropFirst(3)
        let host = remainder.prefix { $0 != "/" }
        var path = remainder.dropFirst(host.count)
        while path.hasSuffix("/") { path.removeLast() }
        return "\(url.scheme ?? "")://\(host.lowercased())\(path)"
    }

    mutating func previousMasterKeys() -> [MasterKey] {
        list(.previousMasterKeys, isSecret: true).compactMap { masterKey($0, .previousMasterKeys) }
    }

    mutating func masterKey(_ text: String, _ name: SettingName) -> MasterKey? {
        if let key = MasterKey(text) { return key }
        report("\(name.rawValue): must be ID:BASE64 with an id of a-z and 0-9 and exactly 32 bytes")
        return nil
    }

    mutating func proxies() -> [String] {
        let proxies = list(.trustedProxies)
        for text in proxies where AddressRange(text) == nil {
            report("limits.trustedProxies: must be an address or CIDR block, not \"\(text)\"")
        }
        return proxies
    }

    mutating func callRates(isLimited: Bool) -> CallRates {
        let identity = integer(.identityCallsPerMinute, default: isLimited ? 120 : 0, in: 0...1_000_000)
        let account = integer(.accountCallsPerMinute, default: isLimited ? max(600, identity) : 0, in: 0...1_000_000)
        if account > 0, account < identity {
            report(
                "\(SettingName.accountCallsPerMinute.rawValue): must be 0 or at least the \(identity) of "
                    + "\(SettingName.identityCallsPerMinute.rawValue), not \(account)")
        }
        return CallRates(
            address: integer(.authCallsPerMinute, default: isLimited ? 120 : 0, in: 0...1_000_000), identity: identity,
            total: integer(.totalCallsPerMinute, default: isLimited ? 60_000 : 0, in: 0...100_000_000),
            account: account,
            signedInAddress: integer(.addressCallsPerMinute, default: isLimited ? 6000 : 0, in: 0...100_000_000)
        )
    }

    mutating func log() -> LogSettings {
        LogSettings(
            level: choice(.logLevel, of: Logger.Level.self) ?? .info, format: choice(.logFormat) ?? .text
        )
    }
}
