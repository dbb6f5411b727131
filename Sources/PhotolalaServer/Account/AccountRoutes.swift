import Hummingbird
import PhotolalaAPI
import UseCases

/// Routes for an account's linked identities and devices.
struct AccountRoutes {
    func mount(on endpoints: Endpoints) {
        endpoints.signedIn(Route.linkedAccounts, for: .protection) { try await $2.account.linkedAccounts($1) }
        endpoints.signedIn(Route.linkAccount) { try await $2.linking.link($0, caller: $1) }
        endpoints.signedIn(Route.unlinkAccount, for: .protection) { try await $2.linking.unlink($0, caller: $1) }
        endpoints.withCaller(Route.undoUnlink, for: .protection) { call, services in
            Reply(try await services.linking.undoUnlink(try call.id("linkID"), caller: call.caller))
        }
        endpoints.signedIn(Route.devices, for: .protection) { try await $2.devices.list(of: $1) }
        endpoints.withCaller(Route.removeDevice, for: .protection) { call, services in
            try await services.devices.removeDevice(try call.id("id"), caller: call.caller)
            return Reply(EmptyBody())
        }
        mountDeletion(on: endpoints)
        endpoints.withCaller(Route.reportSync) { call, services in
            try await services.devices.recordSync(try call.id("id"), caller: call.caller)
            return Reply(EmptyBody())
        }
    }

    private func mountDeletion(on endpoints: Endpoints) {
        endpoints.signedIn(Route.deletion, for: .protection) { try await $2.deletion.overview($1) }
        endpoints.signedIn(Route.requestDeletion, for: .protection) { try await $2.deletion.schedule($0, caller: $1) }
        endpoints.signedIn(Route.cancelDeletion, for: .protection) { try await $2.deletion.cancel($1) }
        endpoints.mountPublic(Route.undoDeletion) { body, _, services in
            try await services.deletion.cancel(undoCode: body.undoCode)
            return EmptyBody()
        }
        endpoints.mountPublic(Route.deletionReceipt) { body, _, services in
            try await services.deletion.status(receiptCode: body.receiptCode)
        }
    }
}
