extension SettingsReader {
    /// The scheme of this server's own addresses.
    var scheme: String { text(.tlsCertificate) == nil ? "http" : "https" }

    /// Returns the files of the certificate and its key.
    mutating func tls() -> (certificate: String, key: String)? {
        switch (text(.tlsCertificate), text(.tlsKey)) {
        case (let certificate?, let key?): return (certificate, key)
        case (nil, nil): return nil
        default:
            report("tls.certificate, tls.key: set both or neither")
            return nil
        }
    }
}
