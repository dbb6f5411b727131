import Foundation
import NIOCore
import ServiceLifecycle

/// One of the two servers, which says in plain words why it cannot listen.
struct Listener: Service {
    let setting: SettingName
    let address: ListenAddress
    let server: any Service

    func run() async throws {
        do {
            try await server.run()
        } catch let error as IOError {
            throw StartProblem("\(setting.rawValue): cannot listen on \(address): \(reason(error.errnoCode))")
        } catch is SocketAddressError.UnknownHost {
            throw StartProblem("\(setting.rawValue): cannot listen on \(address): there is no host of that name")
        }
    }

    private func reason(_ code: CInt) -> String {
        switch code {
        case EADDRINUSE: "another program listens there; end it or choose another port"
        case EADDRNOTAVAIL: "this machine does not have that address"
        case EACCES, EPERM: "this user may not listen there; choose a port from 1024 on"
        default: String(cString: strerror(code))
        }
    }
}
