import IdentityProviders
import Secrets

extension Settings {
    /// Reports values that are invalid in every environment.
    func reportEverywhere(to reader: inout SettingsReader) {
        if listen == store.folder?.listen { reader.report("listen, s3.listen: must be different addresses") }
        if tls != nil, !publicURL.hasPrefix("https://") {
            reader.report("publicURL: must be https with tls.certificate, not \(publicURL)")
        }
        if case .network(let address)? = operatorListen, address == listen || address == store.folder?.listen {
            reader.report("operator.listen: must be an address of its own")
        }
        store.bucket?.reportEverywhere(to: &reader)
        if isPairing { reader.reportPairing(self) }
        let named = [masterKey].compactMap { $0 } + previousMasterKeys
        let ids = named.map(\.id) + (masterKey == nil && environment == .dev ? [DevelopmentSecrets.masterKeyID] : [])
        for id in Set(ids).sorted() where ids.count(where: { $0 == id }) > 1 {
            reader.report("keys.master, keys.previous: duplicate key id \(id)")
        }
        for (index, key) in named.enumerated() {
            for other in named[(index + 1)...] where key.id != other.id && key.hasSameBytes(as: other) {
                reader.report("keys.master, keys.previous: \(key.id) and \(other.id) are the same key")
            }
        }
    }

    /// Reports values that are invalid in this environment.
    func reportForEnvironment(to reader: inout SettingsReader) {
        for provider in providers {
            for problem in provider.problems(allowingPlainHTTP: environment == .dev) { reader.report(problem) }
        }
        // Pages link to each other from the root path, and browsers send the cookies only over HTTPS.
        if providers.contains(where: { $0.browserClient != nil }) {
            if publicURL.drop(while: { $0 != ":" }).dropFirst(3).contains("/") {
                reader.report("publicURL: must have no path for browser sign-in, not \(publicURL)")
            }
            if environment != .dev, !publicURL.hasPrefix("https://") {
                reader.report("publicURL: must be https for browser sign-in, not \(publicURL)")
            }
        }
        if environment == .dev {
            reportDevelopment(to: &reader)
            return
        }
        if reader.text(.masterKey, isSecret: true) == nil {
            reader.report("keys.master: required in \(environment.rawValue): \(Self.masterKeyForm)")
        }
        if providers.isEmpty {
            reader.report(
                "apple.audiences, google.audiences, …: \(environment.rawValue) requires at least one provider")
        }
        guard environment == .prod else { return }
        if !publicURL.hasPrefix("https://") { reader.report("publicURL: must be https in prod, not \(publicURL)") }
        for (name, address) in store.addresses where !address.hasPrefix("https://") {
            reader.report("\(name.rawValue): must be https in prod, not \(address)")
        }
        store.bucket?.reportInProd(to: &reader)
    }

    /// Reports settings that would expose the development provider, which signs in any identity.
    private func reportDevelopment(to reader: inout SettingsReader) {
        var listeners = [(SettingName.listen, listen)]
        if let folder = store.folder { listeners.append((.s3Listen, folder.listen)) }
        if case .network(let address)? = operatorListen { listeners.append((.operatorListen, address)) }
        for (name, address) in listeners where !address.isLoopback && !(isPairing && name != .operatorListen) {
            reader.report("\(name.rawValue): must be a loopback address in dev, such as 127.0.0.1, not \(address)")
        }
        // The generated `dev` key is a file in the data folder, which other instances on the bucket would not have.
        if store.bucket != nil, reader.text(.masterKey, isSecret: true) == nil {
            reader.report("keys.master: required for a store on S3: \(Self.masterKeyForm)")
        }
    }

    private static let masterKeyForm = "ID:BASE64 of 32 random bytes"
}
