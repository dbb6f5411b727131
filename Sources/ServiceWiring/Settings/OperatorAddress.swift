/// The address of the operators' listener.
package enum OperatorAddress: Equatable, CustomStringConvertible {
    case network(ListenAddress)
    /// A Unix domain socket.
    case socket(path: String)

    package static let scheme = "unix:"
    private static let maximumPathLength = 100

    /// Parses `HOST:PORT` or `unix:` and an absolute path of at most 100 bytes.
    init?(_ text: String) {
        guard text.hasPrefix(Self.scheme) else {
            guard let address = ListenAddress(text) else { return nil }
            self = .network(address)
            return
        }
        let path = text.dropFirst(Self.scheme.count)
        guard path.hasPrefix("/"), path.utf8.count <= Self.maximumPathLength,
            !path.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }),
            let name = path.split(separator: "/", omittingEmptySubsequences: false).last,
            !["", ".", ".."].contains(name)
        else { return nil }
        self = .socket(path: String(path))
    }

    package var description: String {
        switch self {
        case .network(let address): "\(address)"
        case .socket(let path): "\(Self.scheme)\(path)"
        }
    }
}

extension SettingsReader {
    /// Returns the address of the operators' listener; `nil` if there is none.
    mutating func operatorAddress() -> OperatorAddress? {
        guard let text = text(.operatorListen) else { return nil }
        if let address = OperatorAddress(text) { return address }
        report(
            "operator.listen: must be HOST:PORT, or unix: and an absolute path of at most 100 bytes, not \"\(text)\"")
        return nil
    }
}
