import ArgumentParser

/// How this device is shown among the others of the account.
struct DeviceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("What to call this device; the machine's name otherwise.", valueName: "name"))
    var deviceName: String?

    func validate() throws { try Texts.check(deviceName, of: "--device-name", limit: 100) }
}
