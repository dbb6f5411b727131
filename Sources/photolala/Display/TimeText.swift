/// Formats a remaining time with limited precision: `45 s`, `3 min`, `2 h 10 min`.
enum TimeText {
    static func text(seconds: Double) -> String {
        guard seconds.isFinite, seconds < 1_000_000 else { return "more than 11 days" }
        let whole = Int(max(0, seconds).rounded(.up))
        switch whole {
        case ..<100: return "\(whole) s"
        case ..<5_970: return "\((whole + 30) / 60) min"
        default:
            let minutes = (whole + 30) / 60
            return minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
        }
    }
}
