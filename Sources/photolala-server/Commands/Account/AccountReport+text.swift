import UseCases

extension AccountReport {
    /// The account as `account show` prints it.
    var text: String {
        let width = 9
        var lines = [
            "account \(account), \(disabled == nil ? state : state == "active" ? "disabled" : "\(state), disabled")"
        ]
        for fact in facts {
            lines.append("  \(fact.name.padding(toLength: width, withPad: " ", startingAt: 0))  \(fact.value)")
        }
        for line in audit {
            lines.append("  \("audit".padding(toLength: width, withPad: " ", startingAt: 0))  \(line.summary)")
        }
        return lines.joined(separator: "\n")
    }
}
