-- chat

alter table broadcasts drop constraint broadcasts_audience_check;
alter table broadcasts add constraint broadcasts_audience_check check (audience in ('chosen', 'followers', 'buyers', 'active', 'notBought',
  'subscribers', 'tier', 'newSubscribers', 'trials', 'pastDue', 'expiring', 'ended', 'topSpenders'));
