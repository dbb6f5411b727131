extension SettingsReader {
    /// The scheme of this server's own addresses.
    var scheme: String { text(.tlsCertificate) == nil && pairingHost == nil ? "http" : "https" }

    /// The default host of the listeners.
    var defaultHost: String { pairingHost ?? "127.0.0.1" }

    /// Returns the files of the certificate and its key.
    mutating func tls() -> (certificate: String, key: String)? {
        switch (text(.tlsCertificate), text(.tlsKey)) {
        case (let certificate?, let key?): return (certificate, key)
        case (nil, nil):
            // Written before they are read.
            guard pairingHost != nil, let data = text(.data) else { return nil }
            let folder = DevelopmentSecrets.folder(data)
            return ("\(folder)/pairing.crt", "\(folder)/pairing.key")
        default:
            report("tls.certificate, tls.key: set both or neither")
            return nil
        }
    }

    /// Reports settings that pairing does not allow, because a device finds the server by its listeners and trusts only
    /// the certificate that the server makes.
    mutating func reportPairing(_ settings: Settings) {
        if settings.environment != .dev { report("--pair: only in dev") }
        guard let folder = settings.store.folder else { return report("--pair: not applicable with store s3") }
        for name in [SettingName.tlsCertificate, .tlsKey, .publicURL, .s3Endpoint] where text(name) != nil {
            report("\(name.rawValue): not applicable with --pair")
        }
        for (name, address) in [(SettingName.listen, settings.listen), (.s3Listen, folder.listen)]
        where !address.isSpecific {
            report("\(name.rawValue): must have one IP address of this machine with --pair, not \(address)")
        }
    }
}
