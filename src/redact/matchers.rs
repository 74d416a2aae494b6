//! The matchers there are, and sets of them.

use super::extended::{aws, azure, bearer, card, email, iban, jose, keys, network, pem, phone, ssn, url};
use super::preset;
use super::scan::Spans;

macro_rules! matchers {
    ($($(#[$doc:meta])* $variant:ident => $name:literal, $scan:path;)*) => {
        /// A kind of thing that can be found.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Matcher { $($(#[$doc])* $variant,)* }

        impl Matcher {
            /// Every matcher, in the order in which they run.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name, as tokens and maps have it.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Adds the spans of all matches, from left to right and not overlapping.
            pub(super) fn scan(self, text: &[u16], found: &mut Spans) {
                match self { $(Self::$variant => $scan(text, found),)* }
            }
        }
    };
}

// Those that need context stand before those that would take a part of it.
matchers! {
    /// User and password in a URL.
    UrlCredentials => "url-credentials", url::credentials;
    /// A private key in PEM.
    PrivateKey => "private-key", pem::private_key;
    /// An Anthropic key.
    Anthropic => "anthropic", keys::anthropic;
    /// A key of `OpenAI` or of a service with keys like theirs.
    OpenAi => "openai", keys::openai;
    /// A `GitHub` token.
    GitHub => "github", keys::github;
    /// A `GitLab` token.
    GitLab => "gitlab", keys::gitlab;
    /// A Google API key.
    Google => "google", keys::google;
    /// A Hugging Face token.
    HuggingFace => "huggingface", keys::huggingface;
    /// An npm token.
    Npm => "npm", keys::npm;
    /// The secret path of a Slack webhook.
    SlackWebhook => "slack-webhook", url::slack_webhook;
    /// A Slack token.
    Slack => "slack", keys::slack;
    /// A Stripe key or webhook secret.
    Stripe => "stripe", keys::stripe;
    /// An AWS secret access key, told by its label or by the key id before it.
    AwsSecret => "aws-secret", aws::secret;
    /// An AWS access key id.
    AwsKeyId => "aws-key-id", keys::aws_key_id;
    /// A key of an Azure storage account or service bus.
    AzureKey => "azure-key", azure::key;
    /// The signature of an Azure shared access URL.
    AzureSas => "azure-sas", azure::sas;
    /// An encrypted JSON Web Token.
    Jwe => "jwe", jose::jwe;
    /// A signed JSON Web Token.
    Jwt => "jwt", jose::jwt;
    /// The value after `Bearer`.
    Bearer => "bearer", bearer::value;
    /// An e-mail address.
    Email => "email", email::address;
    /// An international bank account number.
    Iban => "iban", iban::iban;
    /// A hardware address.
    Mac => "mac", network::mac;
    /// An IPv6 address.
    Ipv6 => "ipv6", network::ipv6;
    /// An IPv4 address.
    Ipv4 => "ipv4", network::ipv4;
    /// A social security number of the United States.
    UsSsn => "us-ssn", ssn::us_ssn;
    /// A payment card number.
    Card => "card", card::card;
    /// A phone number.
    Phone => "phone", phone::phone;
    /// The published pattern for e-mail addresses.
    DefaultEmail => "email", preset::email;
    /// The published pattern for keys and tokens.
    DefaultToken => "token", preset::token;
    /// The published pattern for card numbers.
    DefaultCard => "card", preset::card;
    /// The published pattern for phone numbers.
    DefaultPhone => "phone", preset::phone;
}

/// A set of matchers. They run in the order of [`Matcher::ALL`], whatever the order in which they were named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Matchers(u32);

impl Matchers {
    /// No matcher.
    pub const NONE: Self = Self(0);
    /// The four published patterns. They are frozen: users rely on their misses and false hits too.
    pub const DEFAULT: Self = Self::of(&[
        Matcher::DefaultEmail,
        Matcher::DefaultToken,
        Matcher::DefaultCard,
        Matcher::DefaultPhone,
    ]);
    /// Matchers that are in no preset, because what they find is not personal in most texts.
    pub const OPT_IN: Self = Self::of(&[Matcher::Mac, Matcher::Ipv6, Matcher::Ipv4]);
    /// The better matchers: each format under its own name, with its check digits and its look-alikes in mind.
    pub const EXTENDED: Self = Self::of(Matcher::ALL).without(Self::DEFAULT).without(Self::OPT_IN);

    /// The set of these matchers.
    pub const fn of(matchers: &[Matcher]) -> Self {
        let mut set = 0;
        let mut at = 0;
        while at < matchers.len() {
            set |= 1 << matchers[at] as u8;
            at += 1;
        }
        Self(set)
    }

    /// The set that a name stands for: a preset (`none`, `default`, `extended`) or one matcher that is not of the
    /// default preset.
    ///
    /// ```
    /// use tapeproof::redact::{Matcher, Matchers};
    ///
    /// assert_eq!(Matchers::named("default"), Some(Matchers::DEFAULT));
    /// assert_eq!(Matchers::named("iban"), Some(Matchers::of(&[Matcher::Iban])));
    /// assert_eq!(Matchers::named("IBAN"), None);
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "none" => Some(Self::NONE),
            "default" => Some(Self::DEFAULT),
            "extended" => Some(Self::EXTENDED),
            _ => Matcher::ALL
                .iter()
                .find(|matcher| matcher.name() == name && !Self::DEFAULT.has(**matcher))
                .map(|&matcher| Self::of(&[matcher])),
        }
    }

    /// Both sets, unless they mix the default preset with a matcher of the same name that finds other things.
    pub fn and(self, other: Self) -> Option<Self> {
        let both = self.or(other);
        let namesakes = Self::of(&[Matcher::Email, Matcher::Card, Matcher::Phone]);
        (both.only(Self::DEFAULT).is_empty() || both.only(namesakes).is_empty()).then_some(both)
    }

    /// The set as bits, one a matcher, in the order of [`Matcher::ALL`].
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The set of these bits. Bits that are no matcher count for nothing.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits).only(Self::of(Matcher::ALL))
    }

    /// Whether the matcher is in the set.
    pub const fn has(self, matcher: Matcher) -> bool {
        self.0 & 1 << matcher as u8 != 0
    }

    /// Whether no matcher is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Those that are in both sets.
    pub(super) const fn only(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Those that are in either set.
    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl IntoIterator for Matchers {
    type Item = Matcher;
    type IntoIter = Iter;

    fn into_iter(self) -> Iter {
        Iter(self.0)
    }
}

/// The matchers of a set, in the order in which they run.
#[derive(Debug, Clone)]
pub struct Iter(u32);

impl Iterator for Iter {
    type Item = Matcher;

    fn next(&mut self) -> Option<Matcher> {
        let matcher = Matcher::ALL.get(self.0.trailing_zeros() as usize)?;
        self.0 &= self.0 - 1;
        Some(*matcher)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_presets_are_disjoint_and_complete() {
        assert_eq!(
            Matchers::DEFAULT.into_iter().map(Matcher::name).collect::<Vec<_>>(),
            ["email", "token", "card", "phone"]
        );
        assert_eq!(Matchers::EXTENDED.into_iter().count(), 24);
        assert!(Matchers::EXTENDED.only(Matchers::OPT_IN).is_empty());
        assert_eq!(Matchers::EXTENDED.into_iter().next(), Some(Matcher::UrlCredentials));
    }

    #[test]
    fn a_name_stands_for_one_thing() {
        for &matcher in Matcher::ALL {
            let expected = (!Matchers::DEFAULT.has(matcher)).then(|| Matchers::of(&[matcher]));
            if let Some(expected) = expected {
                assert_eq!(Matchers::named(matcher.name()), Some(expected), "{}", matcher.name());
            }
        }
        assert_eq!(Matchers::named("token"), None);
    }

    #[test]
    fn the_default_preset_mixes_with_no_namesake() {
        let iban = Matchers::of(&[Matcher::Iban]);
        let email = Matchers::of(&[Matcher::Email]);
        assert!(Matchers::DEFAULT.and(iban).is_some());
        assert!(Matchers::EXTENDED.and(email).is_some());
        assert_eq!(Matchers::DEFAULT.and(email), None);
        assert_eq!(Matchers::DEFAULT.and(Matchers::EXTENDED), None);
    }
}
