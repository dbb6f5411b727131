import HTTPListener
import Hummingbird
import ServiceWiring

extension OperatorAddress {
    /// The address to which the server binds.
    var bindAddress: BindAddress {
        switch self {
        case .network(let address): .hostname(address.host, port: address.port)
        case .socket(let path): .unixDomainSocket(path: path)
        }
    }

    func makeListener(_ server: some ApplicationProtocol) -> Listener {
        let setting = SettingName.operatorListen.rawValue
        return switch self {
        case .network(let address): Listener(server, at: "\(address)", setting: setting)
        case .socket(let path): Listener(server, onSocket: path, setting: setting)
        }
    }
}
